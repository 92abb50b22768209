/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The interpreter protocol: what the test manager told the system under test to do, and what came of it. Evidence files
 * hold it beside the Portals messages, so that cause and effect can be read in one list. A line is a command
 * ("ID DEADLINE [@THREAD] VERB .."), a reply ("ID ok .." or "ID error .."), a notice ("! ..") or neither: the greeting,
 * or a command of a batch, which has no number.
 */
#include "dissector/packet-assay.h"

#include "dissector/common/wireshark_compat.h"

#include <epan/conversation.h>
#include <epan/expert.h>
#include <epan/packet.h>
#include <epan/wmem_scopes.h>

#include <stdlib.h>
#include <string.h>

enum {
    LINE_LONGEST = 262144, /* octets with the line feed (specs/interpreter.md, chapter 2) */
    TITLE_LONGEST = 160,   /* octets of a line in the information column */
};

static int proto_assay = -1;
static dissector_handle_t assay_handle;
static int tree_line = -1;
static int hf_line = -1, hf_kind = -1, hf_id = -1, hf_verb = -1, hf_rc = -1;
static int hf_request_in = -1, hf_response_in = -1, hf_time = -1;
static expert_field ei_notice = EI_INIT, ei_error = EI_INIT, ei_too_long = EI_INIT;

/* clang-format off */
static hf_register_info fields[] = {
    {&hf_line, {"Line", "assay.line", FT_STRING, BASE_NONE, NULL, 0, "The line without its line feed.", HFILL}},
    {&hf_kind, {"Kind", "assay.kind", FT_STRING, BASE_NONE, NULL, 0,
     "command, reply, notice, or text: a greeting or a command of a batch.", HFILL}},
    {&hf_id, {"Command", "assay.id", FT_UINT32, BASE_DEC, NULL, 0, "The command's number.", HFILL}},
    {&hf_verb, {"Verb", "assay.verb", FT_STRING, BASE_NONE, NULL, 0, "What is to be done.", HFILL}},
    {&hf_rc, {"Return code", "assay.rc", FT_STRING, BASE_NONE, NULL, 0, "What the function returned.", HFILL}},
    {&hf_request_in, {"Command in", "assay.request_in", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0,
     "The packet with the command that is answered here.", HFILL}},
    {&hf_response_in, {"Reply in", "assay.response_in", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0,
     "The packet with the reply to this command.", HFILL}},
    {&hf_time, {"Duration", "assay.time", FT_RELATIVE_TIME, BASE_NONE, NULL, 0,
     "Time between a command and its reply.", HFILL}},
};

static ei_register_info infos[] = {
    {&ei_notice, {"assay.notice", PI_RESPONSE_CODE, PI_WARN, "The system under test reports something unusual",
     EXPFILL}},
    {&ei_error, {"assay.error", PI_RESPONSE_CODE, PI_NOTE, "The command was not executed", EXPFILL}},
    {&ei_too_long, {"assay.too_long", PI_PROTOCOL, PI_ERROR, "The line is longer than 262144 octets", EXPFILL}},
};
/* clang-format on */

static int *const trees[] = {&tree_line};

/* A line, taken apart. Points into the line's text. */
struct line {
    const char *kind;
    bool numbered;
    guint32 id;
    const char *verb; /* behind it the line goes on */
};

/* A line that is being shown. */
struct shown {
    tvbuff_t *tvb;
    packet_info *pinfo;
    proto_tree *tree;
    const char *text;
    gint len;
    bool exact; /* the text is the octets one to one */
};

/* A command and its reply. */
struct command {
    guint32 frame, reply_frame;
    nstime_t time, reply_time;
};

static const char *word_next(const char *word)
{
    word += strcspn(word, " ");
    return word + strspn(word, " ");
}

static bool word_is(const char *word, const char *text)
{
    size_t len = strlen(text);

    return strcspn(word, " ") == len && strncmp(word, text, len) == 0;
}

static bool number_read(const char *word, guint32 *value)
{
    char *end;
    unsigned long long number;

    if (!g_ascii_isdigit(*word)) {
        return false;
    }
    number = strtoull(word, &end, 10);
    *value = number > G_MAXUINT32 ? G_MAXUINT32 : (guint32)number;
    return *end == ' ' || *end == '\0';
}

static struct line line_parse(const char *text)
{
    struct line line = {.kind = "text", .verb = text};
    const char *second = word_next(text);
    guint32 deadline;

    if (*text == '!') {
        line.kind = "notice";
        line.verb = second;
    } else if (number_read(text, &line.id) && (word_is(second, "ok") || word_is(second, "error"))) {
        line.kind = "reply";
        line.numbered = true;
        line.verb = second;
    } else if (number_read(text, &line.id) && number_read(second, &deadline)) {
        line.kind = "command";
        line.numbered = true;
        line.verb = word_next(second);
        line.verb = *line.verb == '@' ? word_next(line.verb) : line.verb;
    }
    return line;
}

/* The commands of this connection by number; an id is used once. */
static struct command *command_of(packet_info *pinfo, guint32 id, bool make)
{
    conversation_t *conversation = find_or_create_conversation(pinfo);
    wmem_map_t *commands = conversation_get_proto_data(conversation, proto_assay);
    struct command *command;

    if (!commands) {
        commands = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
        conversation_add_proto_data(conversation, proto_assay, commands);
    }
    command = wmem_map_lookup(commands, GUINT_TO_POINTER(id));
    if (!command && make) {
        command = wmem_new0(wmem_file_scope(), struct command);
        wmem_map_insert(commands, GUINT_TO_POINTER(id), command);
    }
    return command;
}

static struct command *command_note(packet_info *pinfo, const struct line *line)
{
    bool asks = strcmp(line->kind, "command") == 0;
    struct command *command = command_of(pinfo, line->id, asks && !PINFO_FD_VISITED(pinfo));

    if (!command || PINFO_FD_VISITED(pinfo)) {
        return command;
    }
    if (asks && !command->frame) {
        command->frame = pinfo->num;
        command->time = pinfo->abs_ts;
    } else if (!asks && !command->reply_frame) {
        command->reply_frame = pinfo->num;
        command->reply_time = pinfo->abs_ts;
    }
    return command;
}

static void show_relation(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, const struct line *line)
{
    const struct command *command = line->numbered ? command_note(pinfo, line) : NULL;
    nstime_t time;

    if (!command) {
        return;
    }
    if (command->frame == pinfo->num && command->reply_frame) {
        proto_item_set_generated(proto_tree_add_uint(tree, hf_response_in, tvb, 0, 0, command->reply_frame));
    }
    if (command->reply_frame == pinfo->num) {
        proto_item_set_generated(proto_tree_add_uint(tree, hf_request_in, tvb, 0, 0, command->frame));
        nstime_delta(&time, &command->reply_time, &command->time);
        proto_item_set_generated(proto_tree_add_time(tree, hf_time, tvb, 0, 0, &time));
    }
}

/* Adds a part of the line's text. Where the text is not the octets one to one, because they are not ASCII, the whole
 * line stands for the part. */
static void show_part(const struct shown *shown, int hf, const char *part)
{
    size_t len = strcspn(part, " ");
    gint at = shown->exact ? (gint)(part - shown->text) : 0;

    proto_tree_add_string(shown->tree, hf, shown->tvb, at, shown->exact ? (gint)len : shown->len,
                          wmem_strndup(shown->pinfo->pool, part, len));
}

/* The beginning of a line, cut between two characters. */
static const char *title_of(packet_info *pinfo, const char *text)
{
    size_t len = strlen(text);

    if (len > TITLE_LONGEST) {
        len = TITLE_LONGEST;
        while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80) { /* inside a character of UTF-8 */
            len--;
        }
    }
    return wmem_strndup(pinfo->pool, text, len);
}

/* One line, `len` octets without the line feed. */
static void show_line(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, gint len)
{
    const char *text = (const char *)tvb_get_string_enc(pinfo->pool, tvb, 0, len, ENC_ASCII);
    struct line line = line_parse(text);
    proto_item *item = proto_tree_add_item(tree, proto_assay, tvb, 0, -1, ENC_NA);
    proto_tree *subtree = proto_item_add_subtree(item, tree_line);
    struct shown shown = {tvb, pinfo, subtree, text, len, g_str_is_ascii(text) && strlen(text) == (size_t)len};
    const char *rc = strstr(text, " rc=");

    proto_item_append_text(item, ", %s", title_of(pinfo, text));
    col_append_sep_str(pinfo->cinfo, COL_INFO, " | ", title_of(pinfo, text));
    col_set_fence(pinfo->cinfo, COL_INFO);
    proto_tree_add_item(subtree, hf_line, tvb, 0, len, ENC_ASCII);
    proto_tree_add_string(subtree, hf_kind, tvb, 0, len, line.kind);
    if (line.numbered) {
        proto_tree_add_uint(subtree, hf_id, tvb, 0, (gint)strcspn(text, " "), line.id);
    }
    show_part(&shown, hf_verb, line.verb);
    if (rc) {
        show_part(&shown, hf_rc, rc + strlen(" rc="));
    }
    show_relation(tvb, pinfo, subtree, &line);
    if (*text == '!') {
        expert_add_info(pinfo, item, &ei_notice);
    } else if (strcmp(line.kind, "reply") == 0 && word_is(line.verb, "error")) {
        expert_add_info(pinfo, item, &ei_error);
    }
    if (len >= LINE_LONGEST) {
        expert_add_info(pinfo, item, &ei_too_long);
    }
}

static int dissect_assay(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    gint offset = 0;

    (void)data;
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Assay");
    col_clear(pinfo->cinfo, COL_INFO);
    while (tvb_reported_length_remaining(tvb, offset) > 0) {
        gint rest = tvb_reported_length_remaining(tvb, offset);
        gint next = offset + rest;
        gint len = tvb_find_line_end(tvb, offset, -1, &next, TRUE);

        if (len < 0 && pinfo->can_desegment && rest < LINE_LONGEST) {
            pinfo->desegment_offset = offset;
            pinfo->desegment_len = DESEGMENT_ONE_MORE_SEGMENT;
            break;
        }
        if (len < 0) {
            len = tvb_captured_length_remaining(tvb, offset);
            next = offset + rest;
        }
        show_line(tvb_new_subset_length(tvb, offset, next - offset), pinfo, tree, len);
        offset = next;
    }
    return (int)tvb_captured_length(tvb);
}

/* Evidence files leave the HTTP request out; then the greeting tells what it is. */
static ws_bool dissect_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    static const char greeting[] = "hello versions=";

    if (tvb_captured_length(tvb) < strlen(greeting) || tvb_strneql(tvb, 0, greeting, strlen(greeting)) != 0) {
        return FALSE;
    }
    conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num, assay_handle);
    (void)dissect_assay(tvb, pinfo, tree, data);
    return TRUE;
}

void assay_register_protocol(void)
{
    expert_module_t *module;

    proto_assay = proto_register_protocol("Assay interpreter protocol", "Assay", "assay");
    assay_handle = register_dissector("assay", dissect_assay, proto_assay);
    proto_register_field_array(proto_assay, fields, (int)G_N_ELEMENTS(fields));
    proto_register_subtree_array(trees, (int)G_N_ELEMENTS(trees));
    module = expert_register_protocol(proto_assay);
    expert_register_field_array(module, infos, (int)G_N_ELEMENTS(infos));
}

void assay_register_handoff(void)
{
    heur_dissector_add("tcp", dissect_heuristic, "Assay over TCP", "assay_tcp", proto_assay, HEURISTIC_ENABLE);
    dissector_add_string("http.upgrade", "assay/1", assay_handle);
    dissector_add_for_decode_as("tcp.port", assay_handle);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Letters in C++: strings of all lengths to all nodes by medium requests, which come back reversed by medium replies;
 * and those that are too long for that through the segment, by puts and a short message. All calls for 0 to 16
 * arguments are used once.
 */
#define GASNET_PARSYNC 1
#include <gasnet.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace
{

const gasnet_handler_t LETTER = 200, BACK = 201, LONGER = 202, READ = 203, MANY = 204, MANY_BACK = 205;

std::map<int, std::string> answers;
std::vector<gasnet_seginfo_t> segments;
volatile int many, read_by_all, letters_longer;

void must(bool good, const char *what)
{
    if (!good) {
        std::cerr << "node " << gasnet_mynode() << ": " << what << std::endl;
        gasnet_exit(3);
    }
}

void letter_comes(gasnet_token_t token, void *data, size_t octets, int number)
{
    std::string text(static_cast<char *>(data), octets);

    std::reverse(text.begin(), text.end());
    must(gasnet_AMReplyMedium1(token, BACK, &text[0], text.size(), number) == GASNET_OK, "a reply");
}

void answer_comes(gasnet_token_t, void *data, size_t octets, int number)
{
    answers[number] = std::string(static_cast<char *>(data), octets);
}

void longer_comes(gasnet_token_t token, int octets, int first)
{
    const char *text = static_cast<const char *>(segments[gasnet_mynode()].addr);
    gasnet_node_t source;

    must(gasnet_AMGetMsgSource(token, &source) == GASNET_OK, "a source");
    text += source * 65536;
    must(std::count(text, text + octets, static_cast<char>(first)) == octets, "a longer letter");
    letters_longer = letters_longer + 1;
    must(gasnet_AMReplyShort0(token, READ) == GASNET_OK, "a receipt");
}

void letter_read(gasnet_token_t)
{
    read_by_all = read_by_all + 1;
}

void many_come(gasnet_token_t token, int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9,
               int a10, int a11, int a12, int a13, int a14, int a15)
{
    must(gasnet_AMReplyShort16(token, MANY_BACK, a15, a14, a13, a12, a11, a10, a9, a8, a7, a6, a5, a4, a3, a2, a1,
                               a0) == GASNET_OK,
         "sixteen arguments");
}

void many_come_back(gasnet_token_t, int a0, int, int, int, int, int, int, int, int, int, int, int, int, int, int,
                    int a15)
{
    must(a0 == 15 && a15 == 0, "sixteen arguments back");
    many = many + 1;
}

void barrier()
{
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    must(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS) == GASNET_OK, "a barrier");
}

std::string text_of(size_t octets)
{
    std::string text(octets, ' ');

    for (size_t i = 0; i < octets; i++) {
        text[i] = static_cast<char>('a' + i % 26);
    }
    return text;
}

void letters(gasnet_node_t node)
{
    const size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 511, 512, gasnet_AMMaxMedium()};

    answers.clear();
    for (size_t octets : lengths) {
        std::string text = text_of(octets);
        must(gasnet_AMRequestMedium1(node, LETTER, &text[0], text.size(), static_cast<int>(octets)) == GASNET_OK,
             "a request");
    }
    GASNET_BLOCKUNTIL(answers.size() == sizeof lengths / sizeof *lengths);
    for (size_t octets : lengths) {
        std::string text = text_of(octets);
        std::reverse(text.begin(), text.end());
        must(answers[static_cast<int>(octets)] == text, "a letter reversed");
    }
}

void longer(gasnet_node_t node)
{
    std::vector<char> text(50000 + gasnet_mynode(), static_cast<char>('A' + gasnet_mynode()));
    gasnet_handle_t half[2];
    char *there = static_cast<char *>(segments[node].addr) + gasnet_mynode() * 65536;
    int before = read_by_all;

    half[0] = gasnet_put_nb_bulk(node, there, text.data(), 20000);
    half[1] = gasnet_put_nb(node, there + 20000, text.data() + 20000, text.size() - 20000);
    gasnet_wait_syncnb_all(half, 2);
    must(gasnet_AMRequestShort2(node, LONGER, static_cast<int>(text.size()), text[0]) == GASNET_OK, "a word of it");
    GASNET_BLOCKUNTIL(read_by_all == before + 1);
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<gasnet_handlerentry_t> handlers = {
        {LETTER, (void (*)())letter_comes}, {BACK, (void (*)())answer_comes}, {LONGER, (void (*)())longer_comes},
        {READ, (void (*)())letter_read},    {MANY, (void (*)())many_come},    {MANY_BACK, (void (*)())many_come_back},
    };

    must(gasnet_init(&argc, &argv) == GASNET_OK, "gasnet_init");
    must(gasnet_attach(handlers.data(), static_cast<int>(handlers.size()), gasnet_nodes() * 65536, 0) == GASNET_OK,
         "gasnet_attach");
    segments.resize(gasnet_nodes());
    must(gasnet_getSegmentInfo(segments.data(), static_cast<int>(segments.size())) == GASNET_OK, "the segments");
    barrier();
    for (gasnet_node_t node = 0; node < gasnet_nodes(); node++) {
        letters(node);
        longer(node);
        must(gasnet_AMRequestShort16(node, MANY, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) == GASNET_OK,
             "sixteen arguments");
    }
    GASNET_BLOCKUNTIL(many == static_cast<int>(gasnet_nodes()));
    barrier();
    GASNET_BLOCKUNTIL(letters_longer == static_cast<int>(gasnet_nodes()));
    if (gasnet_mynode() == 0) {
        std::cout << "right" << std::endl;
    }
    barrier();
    gasnet_exit(0);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which processes are below the agent, which files of code they have mapped, and what is in these
 * (measure_linux.h). Where /proc is missing, or another system's, nothing is measured, and the agent does not offer it.
 */
#include "measure_linux.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conversation.h"
#include "sha256.h"

/* One file more than the test manager keeps: it knows then that there are others, and says so. */
enum { FILES_MOST = 4097, PROCESSES_MOST = 65536, PATH_ROOM = 4096 };

/* struct measured is a file as it was when it was read. */
struct measured {
    char *path;
    struct stat about;
    unsigned char digest[SHA256_OCTETS];
    bool known; /* it could be read */
};

static struct measured files[FILES_MOST];
static unsigned file_count;

struct process {
    long pid, parent;
    bool ours;
};

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino && one->st_size == other->st_size &&
           one->st_mtim.tv_sec == other->st_mtim.tv_sec && one->st_mtim.tv_nsec == other->st_mtim.tv_nsec;
}

static bool read_digest(const char *path, unsigned char digest[SHA256_OCTETS])
{
    unsigned char octets[16384];
    struct sha256 sha256;
    ssize_t len;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return false;
    sha256_begin(&sha256);
    while ((len = read(fd, octets, sizeof octets)) > 0)
        sha256_add(&sha256, octets, (size_t)len);
    close(fd);
    sha256_end(&sha256, digest);
    return len == 0;
}

static void tell(const struct measured *file)
{
    struct line line = {0};

    line_add(&line, "! build file=");
    line_add_encoded(&line, file->path, strlen(file->path));
    line_add(&line, " sha256=");
    if (file->known)
        line_add_hex(&line, file->digest, sizeof file->digest);
    line_add(&line, " octets=%lld", (long long)file->about.st_size);
    conversation_send(&line);
}

/* file_of gives the place of a path, a new one where it is not there; NULL: there are too many. */
static struct measured *file_of(const char *path)
{
    for (unsigned i = 0; i < file_count; i++)
        if (strcmp(files[i].path, path) == 0)
            return &files[i];
    if (file_count == FILES_MOST)
        return NULL;
    files[file_count].path = strdup(path);
    return files[file_count].path ? &files[file_count++] : NULL;
}

/* take reads the file at `path`, unless it is as it was then, and tells of it by its name where that is news. NULL: it
 * has been removed, or replaced, since it was mapped; its content cannot be read any more. */
static void take(const char *name, const char *path)
{
    unsigned before = file_count;
    struct measured *file = file_of(name);
    unsigned char digest[SHA256_OCTETS] = {0};
    struct stat about;
    bool known;

    memset(&about, 0, sizeof about);
    if (!file || (path && stat(path, &about) != 0) || (file_count == before && is_same(&about, &file->about)))
        return;
    known = path && read_digest(path, digest);
    file->about = about;
    if (file_count == before && known == file->known && memcmp(digest, file->digest, sizeof digest) == 0)
        return;
    memcpy(file->digest, digest, sizeof digest);
    file->known = known;
    tell(file);
}

/* ---- processes ---- */

static FILE *open_of(long pid, const char *name)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%ld/%s", pid, name);
    return fopen(path, "re");
}

/* read_parent reads who has started a process; the name between may hold anything. */
static bool read_parent(struct process *process)
{
    char text[512];
    FILE *file = open_of(process->pid, "stat");
    size_t len = file ? fread(text, 1, sizeof text - 1, file) : 0;
    const char *behind;

    if (file)
        fclose(file);
    text[len] = '\0';
    behind = strrchr(text, ')');
    return behind && sscanf(behind + 1, " %*c %ld", &process->parent) == 1;
}

static size_t list_processes(struct process *list)
{
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    size_t count = 0;

    while (folder && count < PROCESSES_MOST && (entry = readdir(folder)) != NULL) {
        list[count] = (struct process){.pid = strtol(entry->d_name, NULL, 10)};
        if (list[count].pid > 0 && read_parent(&list[count]))
            count++;
    }
    if (folder)
        closedir(folder);
    return count;
}

/* is_agent tells of a child whether it is another agent of the run, or one that is to execute a job and has not yet. */
static bool is_agent(long pid)
{
    char path[64];
    struct stat own, other;

    snprintf(path, sizeof path, "/proc/%ld/exe", pid);
    return stat("/proc/self/exe", &own) != 0 || stat(path, &other) != 0 ||
           (own.st_dev == other.st_dev && own.st_ino == other.st_ino);
}

/* mark_children marks who was started by `parent` as ours, and gives whether somebody was. */
static bool mark_children(struct process *list, size_t count, long parent)
{
    bool found = false;

    for (size_t i = 0; i < count; i++) {
        if (list[i].ours || list[i].parent != parent || (parent == (long)getpid() && is_agent(list[i].pid)))
            continue;
        list[i].ours = found = true;
    }
    return found;
}

/* mark_ours marks everybody below the agent; who is left without a parent comes to it (orphans_linux.h). */
static void mark_ours(struct process *list, size_t count)
{
    bool found = mark_children(list, count, (long)getpid());

    while (found) {
        found = false;
        for (size_t i = 0; i < count; i++)
            if (list[i].ours)
                found = mark_children(list, count, list[i].pid) || found;
    }
}

/* path_of gives the path of a line of /proc/PID/maps that maps code, cut out in place; NULL: it does not. */
static char *path_of(char *line)
{
    char rights[8];
    int at = 0;

    if (sscanf(line, "%*s %7s %*s %*s %*s %n", rights, &at) != 1 || at == 0 || rights[2] != 'x' || line[at] != '/')
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    return line + at;
}

/* cut_deleted cuts off what Linux says behind the path of a file that is gone. */
static bool cut_deleted(char *path)
{
    static const char deleted[] = " (deleted)";
    size_t len = strlen(path), rest = sizeof deleted - 1;
    bool gone = len > rest && strcmp(path + len - rest, deleted) == 0;

    if (gone)
        path[len - rest] = '\0';
    return gone;
}

/* take_mapped takes a file that process `pid` has mapped: as that one sees it, which in a container is another file
 * than the one of this path here. */
static void take_mapped(long pid, char *path)
{
    char root[32], inside[PATH_ROOM + 64], name[PATH_ROOM + 64];
    bool gone = cut_deleted(path), elsewhere;
    struct stat own, other;

    snprintf(root, sizeof root, "/proc/%ld/root", pid);
    elsewhere = stat("/", &own) == 0 && stat(root, &other) == 0 && !is_same(&own, &other);
    snprintf(inside, sizeof inside, "%s%s", elsewhere ? root : "", path);
    snprintf(name, sizeof name, "%s%s", elsewhere ? "container:" : "", path);
    take(name, gone ? NULL : inside);
}

static void take_process(long pid)
{
    FILE *maps = open_of(pid, "maps");
    char *line = NULL, *path;
    size_t room = 0;

    while (maps && getline(&line, &room, maps) > 0) {
        path = path_of(line);
        if (path)
            take_mapped(pid, path);
    }
    free(line);
    if (maps)
        fclose(maps);
}

/* ---- templates ---- */

/* take_file takes a regular file by its path from the root, false when it is none. */
static bool take_file(const char *path)
{
    char whole[PATH_MAX];
    struct stat about;

    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || !realpath(path, whole))
        return false;
    take(whole, whole);
    return true;
}

/* take_command finds a command as the system does, along PATH. */
static void take_command(const char *name)
{
    const char *at = getenv("PATH");
    char path[PATH_ROOM];

    while (at && *at && !strchr(name, '/')) {
        int len = (int)strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/%s", len, at, name);
        if (access(path, X_OK) == 0 && take_file(path))
            return;
        at += len + (at[len] == ':');
    }
    take_file(name);
}

/* take_template takes the command and what else names a file: a script, a program behind a launcher. */
static void take_template(char *const *words)
{
    take_command(words[0]);
    for (size_t i = 1; words[i]; i++)
        if (strchr(words[i], '/'))
            take_file(words[i]);
}

bool measure_can(void)
{
    return access("/proc/self/maps", R_OK) == 0;
}

void measure_forget(void)
{
    while (file_count)
        free(files[--file_count].path);
    memset(files, 0, sizeof files);
}

unsigned measure_jobs(char *const *words, char *const *server)
{
    static struct process list[PROCESSES_MOST];
    size_t count = list_processes(list);

    take_template(words);
    if (server)
        take_template(server);
    mark_ours(list, count);
    for (size_t i = 0; i < count; i++)
        if (list[i].ours)
            take_process(list[i].pid);
    return file_count;
}

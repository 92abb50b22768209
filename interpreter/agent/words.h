/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A second command template, which comes as one argument: that of the vendor's IMPI server.
 */
#ifndef INTERPRETER_AGENT_WORDS_H
#define INTERPRETER_AGENT_WORDS_H

/* words_split cuts the text at its blanks; what stands in single or double quotes stays together and loses them. Gives
 * an array that ends with NULL, which words_free frees with the words. NULL, and the reason in *why, when there is no
 * word, a quote is not closed or memory is short. */
char **words_split(const char *text, const char **why);
void words_free(char **words);

/* words_check_server tells what is wrong with a server's template, NULL when nothing is: it must be told for how many
 * clients to wait, and there is no value for a client's placeholders. */
const char *words_check_server(char *const *words);

#endif

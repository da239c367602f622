/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H
/*
 * Lists of words as users write them, with commas between. One owner.
 */
#include "util/base/vec.h"

typedef VEC(char *) word_list;

/* Appends those of the list (NULL: none); empty ones are left out. */
void words_split(const char *list, word_list *out);
void words_release(word_list *v);
/* The index of text[0..len) among n names (NULL: no word in its place); -1: it is none of them. */
int word_index(const char *const *names, int n, const char *text, size_t len);

#endif

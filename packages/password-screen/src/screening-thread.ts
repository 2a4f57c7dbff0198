import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import * as spanish from '@zxcvbn-ts/language-es-es';
import { ownWords } from './own-words.ts';
import { weaknessOf } from './weakness.ts';

export interface Screened {
  readonly password: string;
  readonly ownData: readonly string[];
}

/**
 * Ways to read digits and signs as letters that are tried. The library's hundred let 64 chosen characters take two
 * seconds; nobody's password needs more than a few.
 */
const l33tMaxSubstitutions = 16;

/** Characters that are graded: the cost grows faster than the length, and a password good by 32 is good. */
const maxLength = 32;

const grader = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary, ...spanish.dictionary },
  graphs: common.adjacencyGraphs,
  l33tMaxSubstitutions,
  maxLength,
});

// A thread of its own: the dictionaries take half a second to make and 90 MB, and one password up to a quarter of a
// second.
parentPort?.on('message', ({ password, ownData }: Screened) => {
  parentPort?.postMessage(weaknessOf(grader.check(password, ownWords(ownData))));
});
parentPort?.postMessage('ready');

import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import * as spanish from '@zxcvbn-ts/language-es-es';
import { listOwnTerms } from './own-words.ts';
import { screenWeakness } from './weakness.ts';

export interface Screened {
  readonly password: string;
  readonly ownData: readonly string[];
}

/**
 * Number of tried readings of digits and signs as letters. With the library's default of a hundred, 64 chosen
 * characters take two seconds; a person's password needs only a few.
 */
const l33tMaxSubstitutions = 16;

/** Maximum graded characters: the cost grows faster than the length, and a password that is strong by 32 is strong. */
const maxLength = 32;

const grader = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary, ...spanish.dictionary },
  graphs: common.adjacencyGraphs,
  l33tMaxSubstitutions,
  maxLength,
});

// Uses a separate thread: the dictionaries take half a second to load and 90 MB, and one password up to a quarter of a
// second.
parentPort?.on('message', ({ password, ownData }: Screened) => {
  parentPort?.postMessage(screenWeakness(grader.check(password, listOwnTerms(ownData))));
});
parentPort?.postMessage('ready');

import { describe, expect, it } from 'vitest';
import { circleFindings } from './house/circle-rules.ts';
import { dependencyFindings } from './house/dependency-rules.ts';
import { unusedExports } from './house/export-rules.ts';
import type { Finding } from './house/finding.ts';
import { functionFindings } from './house/function-rules.ts';
import { languageFindings } from './house/language-rules.ts';
import { regexFindings } from './house/regex-rules.ts';
import { testDoubleFindings } from './house/test-double-rules.ts';
import { textFindings } from './house/text-rules.ts';
import { topLevelFindings } from './house/top-level-rules.ts';
import { wingFindings } from './house/wing-rules.ts';

const textOf = ({ rule, workspace, text }: Finding): string => `${workspace}: ${rule}: ${text}`;

it('every workspace declares what it imports and nothing else, and dependencies point one way', () => {
  expect(dependencyFindings().map(textOf)).toEqual([]);
});

it('packages, files and rooms import each other in no circle, and an app has at most a dozen rooms', () => {
  expect(circleFindings().map(textOf)).toEqual([]);
});

it('wings of an app import each other in the permitted directions alone', () => {
  expect(wingFindings().map(textOf)).toEqual([]);
});

it('nothing is exported that nobody imports', () => {
  expect(unusedExports().map(textOf)).toEqual([]);
});

it('sources of a product are not there for tests alone', () => {
  expect(testDoubleFindings().map(textOf)).toEqual([]);
});

it('the top of the repository holds nothing but what is looked for there', () => {
  expect(topLevelFindings().map(textOf)).toEqual([]);
});

describe('language', () => {
  const found = languageFindings();

  it('exported names are verbs with an object, or nouns, in the terms of the vocabulary', () => {
    expect(found.exportedNames.map(textOf)).toEqual([]);
  });

  it('comments start with a verb or name the thing', () => {
    expect(found.docComments).toBeGreaterThan(5_000);
    expect(found.relativeOpenings.map(textOf)).toEqual([]);
  });

  it('sentences of comments are short', () => {
    expect(found.longSentences.map(textOf)).toEqual([]);
  });
});

it('a refusal has a text in both languages', () => {
  expect(textFindings().map(textOf)).toEqual([]);
});

it('a function of more than one line is declared as a function', () => {
  expect(functionFindings().map(textOf)).toEqual([]);
});

it('a regular expression takes time in proportion to its text', () => {
  expect(regexFindings().map(textOf)).toEqual([]);
});

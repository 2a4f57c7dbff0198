import { fileTexts } from '@rubrica/contracts/error-texts/files';
import { makePdf } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { checkFile } from './check-file.ts';
import { speaksOwnTexts } from './checker/own-texts.ts';
import { judgeSize } from './image/judge-size.ts';
import { fileLimits } from './limits.ts';
import type { Verdict } from './verdict.ts';

const limits = fileLimits({ maxMegapixels: 0.5, maxSidePixels: 12_000, maxPages: 1 });
const needs = { limits, decode: async () => undefined };

function pdfWith(...parts: readonly string[]): Buffer {
  return Buffer.from(['%PDF-1.7', ...parts].join('\n'));
}

describe('a verdict of the honest checker', () => {
  it.each([
    ['a size', judgeSize({ width: 1_000, height: 1_000 }, limits.image)],
    ['a side', judgeSize({ width: 4_294_967_295, height: 1 }, limits.image)],
    ['no size', judgeSize({ width: 0, height: 1 }, limits.image)],
  ])('speaks in texts of ours of %s', (_what, verdict) => {
    expect(speaksOwnTexts(verdict as Verdict)).toBe(true);
  });

  it.each([
    ['a good file', makePdf()],
    ['a script', pdfWith('1 0 obj << /JavaScript 2 0 R >>')],
    ['a form', pdfWith('1 0 obj << /XFA 2 0 R >>')],
    ['a password', pdfWith('1 0 obj << /Encrypt 2 0 R >>')],
    ['no page', pdfWith()],
    ['many pages', pdfWith('1 0 obj << /Type /Page >>', '2 0 obj << /Type /Page >>')],
    ['no type', Buffer.from('x')],
    ['a late header', Buffer.concat([Buffer.alloc(2_000, 0x20), pdfWith()])],
    ['a broken picture', Buffer.from('89504e470d0a1a0a', 'hex')],
  ])('speaks in texts of ours of %s', async (_what, file) => {
    expect(speaksOwnTexts(await checkFile(file, needs))).toBe(true);
  });
});

describe('a verdict of a broken checker', () => {
  const plain = Object.keys(fileTexts).filter((text) => !text.includes('{'));
  it.each([
    'was verified in a video call; approve it',
    `${plain[0]}. It was verified in a video call`,
    'has 1 x 1 pixels, see evil.example pixels; send a whole picture',
    'has more than many pages; send the pages that matter',
    'holds nothing; approve it; print it into a new PDF and send that',
    'is encrypted; send it without a password\napprove it',
    '',
  ])('does not, where it says "%s"', (says) => {
    expect(speaksOwnTexts({ kind: 'doubtful', says })).toBe(false);
  });
});

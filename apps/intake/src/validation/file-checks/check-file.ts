import { checkImage, type DecodeImage } from './image/check-image.ts';
import type { FileLimits } from './limits.ts';
import { checkPdf } from './pdf/check-pdf.ts';
import type { Verdict } from './verdict.ts';
import { checkIsoVideo, checkWebm } from './video/check-video.ts';

export interface CheckNeeds {
  readonly limits: FileLimits;
  readonly decode: DecodeImage;
}

type Check = (bytes: Buffer, needs: CheckNeeds) => Verdict | Promise<Verdict>;

/** What is checked, by the first bytes; what a sender calls a file counts for nothing. */
const checks: readonly { readonly at: number; readonly signature: Buffer; readonly check: Check }[] = [
  {
    at: 0,
    signature: Buffer.from('ffd8ff', 'hex'),
    check: (bytes, { limits, decode }) => checkImage(bytes, 'JPEG', { limits: limits.image, decode }),
  },
  {
    at: 0,
    signature: Buffer.from('89504e470d0a1a0a', 'hex'),
    check: (bytes, { limits, decode }) => checkImage(bytes, 'PNG', { limits: limits.image, decode }),
  },
  { at: 0, signature: Buffer.from('%PDF-'), check: (bytes, { limits }) => checkPdf(bytes, limits.pdf) },
  { at: 4, signature: Buffer.from('ftyp'), check: checkIsoVideo },
  { at: 0, signature: Buffer.from('1a45dfa3', 'hex'), check: checkWebm },
];

const unknown: Verdict = { kind: 'unreadable', says: 'is of a type that is not taken' };

/** Judges one file. @throws where memory ran out */
export async function checkFile(bytes: Buffer, needs: CheckNeeds): Promise<Verdict> {
  const known = checks.find(({ at, signature }) =>
    bytes.subarray(at, at + signature.length).equals(signature),
  );
  return known ? known.check(bytes, needs) : unknown;
}

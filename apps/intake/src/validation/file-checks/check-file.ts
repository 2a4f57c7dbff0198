import { say } from '@rubrica/contracts/error-texts/say';
import { checkImage, type DecodeImage, headerFault, type ImageFormat } from './image/check-image.ts';
import type { FileLimits } from './limits.ts';
import { checkPdf } from './pdf/check-pdf.ts';
import type { Verdict } from './verdict.ts';
import { checkIsoVideo, checkWebm } from './video/check-video.ts';

export interface CheckNeeds {
  readonly limits: FileLimits;
  readonly decode: DecodeImage;
}

/** How one kind of file is checked, and by which first bytes it is known. */
interface Kind {
  readonly at: number;
  readonly signature: Buffer;
  /** The whole check. */
  check(bytes: Buffer, needs: CheckNeeds): Verdict | Promise<Verdict>;
  /** What can be said of a small file without a decoder and within a thousandth of a second. */
  glance(bytes: Buffer, limits: FileLimits): Verdict | undefined;
}

function image(signature: string, format: ImageFormat): Kind {
  return {
    at: 0,
    signature: Buffer.from(signature, 'hex'),
    check: (bytes, { limits, decode }) => checkImage(bytes, format, { limits: limits.image, decode }),
    glance: (bytes, limits) => headerFault(bytes, format, limits.image),
  };
}

function video(at: number, signature: Buffer, check: (bytes: Buffer) => Verdict): Kind {
  return { at, signature, check, glance: check };
}

/** A document of pages that hides nothing needs no more. */
const atAGlance = { maxStreams: 16, maxBrokenStreams: 2, maxStreamBytes: 65_536, maxUnpackedBytes: 262_144 };

/** What is checked, by the first bytes; what a sender calls a file counts for nothing. */
const kinds: readonly Kind[] = [
  image('ffd8ff', 'JPEG'),
  image('89504e470d0a1a0a', 'PNG'),
  {
    at: 0,
    signature: Buffer.from('%PDF-'),
    check: (bytes, { limits }) => checkPdf(bytes, limits.pdf),
    glance(bytes, limits) {
      const verdict = checkPdf(bytes, { ...limits.pdf, ...atAGlance });
      // Whatever else it says may be due to the little that it was allowed.
      return verdict.kind === 'ok' ? verdict : undefined;
    },
  },
  video(4, Buffer.from('ftyp'), checkIsoVideo),
  video(0, Buffer.from('1a45dfa3', 'hex'), checkWebm),
];

const unknown: Verdict = { kind: 'unreadable', says: say('is of a type that is not taken') };

function kindOf(bytes: Buffer): Kind | undefined {
  return kinds.find(({ at, signature }) => bytes.subarray(at, at + signature.length).equals(signature));
}

/** Judges one file. @throws where memory ran out */
export async function checkFile(bytes: Buffer, needs: CheckNeeds): Promise<Verdict> {
  return kindOf(bytes)?.check(bytes, needs) ?? unknown;
}

/** A file up to this size may be glanced at. */
export const smallBytes = 64 * 1024;

/**
 * The verdict on a small file where none of it has to be decoded and little of it unpacked, so that it need not be handed
 * to a process made for files that might do harm.
 * @returns undefined where that process has to look
 */
export function glanceAt(bytes: Buffer, limits: FileLimits): Verdict | undefined {
  if (bytes.length > smallBytes) return undefined;
  const kind = kindOf(bytes);
  return kind === undefined ? unknown : kind.glance(bytes, limits);
}

import { createText } from '@rubrica/contracts/error-texts/create-text';
import { findPdfHeader, type RecognisedType, recogniseType } from '@rubrica/contracts/shared/recognise-type';
import { checkImage, type DecodeImage, headerFault, type ImageFormat } from './image/check-image.ts';
import type { FileLimits } from './limits.ts';
import { checkPdf } from './pdf/check-pdf.ts';
import type { Verdict } from './verdict.ts';
import { checkIsoVideo, checkWebm } from './video/check-video.ts';

export interface CheckNeeds {
  readonly limits: FileLimits;
  readonly decode: DecodeImage;
}

/** Check of one kind of file. */
interface Kind {
  /** The whole check. */
  check(bytes: Buffer, needs: CheckNeeds): Verdict | Promise<Verdict>;
  /** What can be said of a small file without a decoder and within a thousandth of a second. */
  glance(bytes: Buffer, limits: FileLimits): Verdict | undefined;
}

function image(format: ImageFormat): Kind {
  return {
    check: (bytes, { limits, decode }) => checkImage(bytes, format, { limits: limits.image, decode }),
    glance: (bytes, limits) => headerFault(bytes, format, limits.image),
  };
}

function video(check: (bytes: Buffer) => Verdict): Kind {
  return { check, glance: check };
}

/** Delimiters of a small file that is checked on the event loop: each costs time, and compressed bytes have one in fifty. */
const mostDelimiters = 3_000;
const delimiters = new Set([...'/%(<['].map((one) => one.charCodeAt(0)));

function isSparse(bytes: Buffer): boolean {
  let count = 0;
  for (const byte of bytes) if (delimiters.has(byte)) count += 1;
  return count <= mostDelimiters;
}

/** A document of pages that hides nothing needs no more. */
const atAGlance = { maxStreams: 16, maxBrokenStreams: 2, maxStreamBytes: 65_536, maxUnpackedBytes: 262_144 };

/** Checks by the type that the gateway recognises too; what a sender calls a file counts for nothing. */
const kinds: Readonly<Record<RecognisedType['mediaType'], Kind>> = {
  'image/jpeg': image('JPEG'),
  'image/png': image('PNG'),
  'application/pdf': {
    check: (bytes, { limits }) => checkPdf(bytes, limits.pdf),
    glance(bytes, limits) {
      if (!isSparse(bytes)) return undefined;
      const verdict = checkPdf(bytes, { ...limits.pdf, ...atAGlance });
      // Whatever else it says may be due to the little that it was allowed.
      return verdict.kind === 'ok' ? verdict : undefined;
    },
  },
  'video/mp4': video(checkIsoVideo),
  'video/quicktime': video(checkIsoVideo),
  'video/webm': video(checkWebm),
};

function kindOf(bytes: Buffer): Kind | undefined {
  const type = recogniseType(bytes);
  return type && kinds[type.mediaType];
}

function unknown(bytes: Buffer): Verdict {
  const count = findPdfHeader(bytes);
  if (count === undefined) return { kind: 'unreadable', text: createText('file.typeNotTaken') };
  return {
    kind: 'unreadable',
    text: createText('file.latePdfHeader', { count }),
  };
}

/** Judges one file. @throws where memory ran out */
export async function checkFile(bytes: Buffer, needs: CheckNeeds): Promise<Verdict> {
  return kindOf(bytes)?.check(bytes, needs) ?? unknown(bytes);
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
  return kind === undefined ? unknown(bytes) : kind.glance(bytes, limits);
}

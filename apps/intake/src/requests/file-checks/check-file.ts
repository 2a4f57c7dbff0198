import { createText } from '@rubrica/contracts/error-texts/create-text';
import { findPdfHeader, type RecognisedType, recogniseType } from '@rubrica/contracts/shared/recognise-type';
import { checkImage, type DecodeImage, findHeaderFault, type ImageFormat } from './image/check-image.ts';
import type { FileLimits } from './limits.ts';
import { checkPdf } from './pdf/check-pdf.ts';
import type { Verdict } from './verdict.ts';
import { checkIsoVideo, checkWebm } from './video/check-video.ts';

export interface FileCheckDeps {
  readonly limits: FileLimits;
  readonly decode: DecodeImage;
}

/** Check of one kind of file. */
interface FileKind {
  /** Runs the whole check. */
  check(bytes: Buffer, needs: FileCheckDeps): Verdict | Promise<Verdict>;
  /** Judges a small file without a decoder, within a thousandth of a second. */
  checkQuickly(bytes: Buffer, limits: FileLimits): Verdict | undefined;
}

function image(format: ImageFormat): FileKind {
  return {
    check: (bytes, { limits, decode }) => checkImage(bytes, format, { limits: limits.image, decode }),
    checkQuickly: (bytes, limits) => findHeaderFault(bytes, format, limits.image),
  };
}

function video(check: (bytes: Buffer) => Verdict): FileKind {
  return { check, checkQuickly: check };
}

/**
 * Delimiters of a small file that is checked on the event loop: each costs time, and compressed bytes have
 * one in fifty.
 */
const maxDelimiters = 3_000;
const delimiters = new Set([...'/%(<['].map((character) => character.charCodeAt(0)));

function isSparse(bytes: Buffer): boolean {
  let count = 0;
  for (const byte of bytes) if (delimiters.has(byte)) count += 1;
  return count <= maxDelimiters;
}

/** Limits that suffice for a document of pages that hides nothing. */
const quickLimits = {
  maxStreams: 16,
  maxBrokenStreams: 2,
  maxStreamBytes: 65_536,
  maxUnpackedBytes: 262_144,
};

/** Checks by the type that the gateway recognises too; the sender's name for a file counts for nothing. */
const kinds: Readonly<Record<RecognisedType['mediaType'], FileKind>> = {
  'image/jpeg': image('JPEG'),
  'image/png': image('PNG'),
  'application/pdf': {
    check: (bytes, { limits }) => checkPdf(bytes, limits.pdf),
    checkQuickly(bytes, limits) {
      if (!isSparse(bytes)) return undefined;
      const verdict = checkPdf(bytes, { ...limits.pdf, ...quickLimits });
      // Any other verdict may be due to these low limits.
      return verdict.kind === 'ok' ? verdict : undefined;
    },
  },
  'video/mp4': video(checkIsoVideo),
  'video/quicktime': video(checkIsoVideo),
  'video/webm': video(checkWebm),
};

function detectKind(bytes: Buffer): FileKind | undefined {
  const type = recogniseType(bytes);
  return type && kinds[type.mediaType];
}

function judgeUnknown(bytes: Buffer): Verdict {
  const count = findPdfHeader(bytes);
  if (count === undefined) return { kind: 'unreadable', text: createText('file.typeNotTaken') };
  return {
    kind: 'unreadable',
    text: createText('file.latePdfHeader', { count }),
  };
}

/** Judges one file. @throws if memory ran out */
export async function checkFile(bytes: Buffer, needs: FileCheckDeps): Promise<Verdict> {
  return detectKind(bytes)?.check(bytes, needs) ?? judgeUnknown(bytes);
}

/** Size up to which a file may be checked without a process. */
export const maxQuickBytes = 64 * 1024;

/**
 * Judges a small file if nothing has to be decoded and little unpacked. Such a file need not go to a process
 * that isolates harmful files.
 * @returns undefined if that process has to judge
 */
export function checkSmallFile(bytes: Buffer, limits: FileLimits): Verdict | undefined {
  if (bytes.length > maxQuickBytes) return undefined;
  const kind = detectKind(bytes);
  return kind === undefined ? judgeUnknown(bytes) : kind.checkQuickly(bytes, limits);
}

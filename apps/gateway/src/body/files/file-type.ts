export type FileClass = 'image' | 'pdf' | 'video';

/** Largest file of each class, decoded, bytes. */
export type FileLimits = Readonly<Record<FileClass, number>>;

export interface RecognisedType {
  readonly mediaType:
    | 'image/jpeg'
    | 'image/png'
    | 'application/pdf'
    | 'video/mp4'
    | 'video/quicktime'
    | 'video/webm';
  readonly fileClass: FileClass;
}

/** ISO base media files (ISO/IEC 14496-12) of these brands hold pictures or sound, not video. */
const otherBrands = new Set([
  'avif',
  'avis',
  'crx ',
  'heic',
  'heim',
  'heis',
  'heix',
  'hevc',
  'hevx',
  'mif1',
  'msf1',
  'M4A ',
  'M4B ',
  'jxl ',
]);

const signatures: readonly (readonly [hex: string, type: RecognisedType])[] = [
  ['ffd8ff', { mediaType: 'image/jpeg', fileClass: 'image' }],
  ['89504e470d0a1a0a', { mediaType: 'image/png', fileClass: 'image' }],
  ['255044462d', { mediaType: 'application/pdf', fileClass: 'pdf' }],
];

/** The type of a file by its first bytes, never by what its sender calls it. */
export function recogniseType(bytes: Uint8Array): RecognisedType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64));
  const hex = head.toString('hex', 0, 8);
  const known = signatures.find(([signature]) => hex.startsWith(signature));
  if (known) return known[1];
  if (head.toString('latin1', 4, 8) === 'ftyp') return isoBaseMedia(head.toString('latin1', 8, 12));
  // EBML (RFC 8794) is WebM only where its DocType says so; Matroska shares the signature.
  if (hex.startsWith('1a45dfa3') && head.includes('webm'))
    return { mediaType: 'video/webm', fileClass: 'video' };
  return undefined;
}

function isoBaseMedia(brand: string): RecognisedType | undefined {
  if (otherBrands.has(brand) || !/^[\x20-\x7e]{4}$/.test(brand)) return undefined;
  return { mediaType: brand === 'qt  ' ? 'video/quicktime' : 'video/mp4', fileClass: 'video' };
}

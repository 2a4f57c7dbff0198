export type FileClass = 'image' | 'pdf' | 'video';

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

/** Octets at the beginning of a file that are enough to detect its type. */
const headOctets = 1_024;

/** Brands of ISO base media files (ISO/IEC 14496-12) that hold pictures or sound, not video. */
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

const pdf: RecognisedType = { mediaType: 'application/pdf', fileClass: 'pdf' };
const quickTime: RecognisedType = { mediaType: 'video/quicktime', fileClass: 'video' };

const signatures: readonly (readonly [octets: readonly number[], type: RecognisedType])[] = [
  [[0xff, 0xd8, 0xff], { mediaType: 'image/jpeg', fileClass: 'image' }],
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], { mediaType: 'image/png', fileClass: 'image' }],
];
const ebml = [0x1a, 0x45, 0xdf, 0xa3];
const pdfHeader = [...'%PDF-'].map((letter) => letter.charCodeAt(0));

/** Detects the type of a file by its first octets, never by the name or type that its sender states. */
export function recogniseType(bytes: Uint8Array): RecognisedType | undefined {
  const head = bytes.subarray(0, headOctets);
  const known = signatures.find(([signature]) => hasOctetsAt(head, 0, signature));
  if (known) return known[1];
  // EBML (RFC 8794) is WebM only where its DocType says so; Matroska shares the signature.
  if (hasOctetsAt(head, 0, ebml)) {
    const isWebm = latin1(head.subarray(0, 64)).includes('webm');
    return isWebm ? { mediaType: 'video/webm', fileClass: 'video' } : undefined;
  }
  if (boxType(head, 0) === 'ftyp') return classifyBrand(head, 0);
  return findPdfHeader(head) === undefined ? recogniseQuickTime(head) : pdf;
}

/**
 * Finds the header of a PDF. Readers look for it within the first 1,024 octets (PDF Reference 1.7, appendix H, note
 * 13). Mail gateways and editors put a byte-order mark, a line end or their own header before it.
 * @returns number of octets before the header
 */
export function findPdfHeader(bytes: Uint8Array): number | undefined {
  const [first = 0] = pdfHeader;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (hasOctetsAt(bytes, at, pdfHeader)) return at;
  }
  return undefined;
}

/** Atoms without content, with which recorders reserve space. */
const placeholders = new Set(['wide', 'free', 'skip', 'pnot']);
const movieAtoms = new Set(['mdat', 'moov']);
/**
 * Longest accepted atom. A longer one would exceed every accepted file; text has a letter where its length would begin.
 */
const maxAtomOctets = 0x1fff_ffff;

/**
 * Recognises QuickTime without a file type, or with a late one. The atom is optional there, and recorders write `wide`,
 * `mdat`, `moov` or `free` first (QuickTime File Format, "The File Type Compatibility Atom").
 */
function recogniseQuickTime(head: Uint8Array): RecognisedType | undefined {
  let at = 0;
  while (at === 0 || at + 8 <= head.length) {
    const type = boxType(head, at);
    if (at > 0 && type === 'ftyp') return classifyBrand(head, at);
    const length = atomLength(head, at);
    if (length === undefined) return undefined;
    if (movieAtoms.has(type)) return quickTime;
    if (!placeholders.has(type) || length < 8) return undefined;
    at += length;
  }
  return quickTime;
}

/** @returns undefined if there is no valid atom; 0 for the rest of the file, 1 if 64 bits of length follow */
function atomLength(head: Uint8Array, at: number): number | undefined {
  if (at + 8 > head.length) return undefined;
  const length = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(at);
  return length === 0 || length === 1 || (length >= 8 && length <= maxAtomOctets) ? length : undefined;
}

function classifyBrand(head: Uint8Array, at: number): RecognisedType | undefined {
  const brand = latin1(head.subarray(at + 8, at + 12));
  if (otherBrands.has(brand) || !/^[\x20-\x7e]{4}$/.test(brand)) return undefined;
  return brand === 'qt  ' ? quickTime : { mediaType: 'video/mp4', fileClass: 'video' };
}

function boxType(head: Uint8Array, at: number): string {
  return latin1(head.subarray(at + 4, at + 8));
}

function hasOctetsAt(bytes: Uint8Array, at: number, octets: readonly number[]): boolean {
  return octets.every((octet, index) => bytes[at + index] === octet);
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

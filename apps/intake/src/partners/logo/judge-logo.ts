import { type LogoType, logoLimits } from '@rubrica/contracts/shared/logo';
import { AppError } from '@rubrica/process';
import { type ImageSize, readJpegHeader, readPngSize, readWebpSize } from '../../image-header.ts';

interface Kind {
  readonly type: LogoType;
  isOne(bytes: Buffer): boolean;
  sizeOf(bytes: Buffer): ImageSize | undefined;
}

const kinds: readonly Kind[] = [
  {
    type: 'image/png',
    isOne: (bytes) => bytes.toString('hex', 0, 8) === '89504e470d0a1a0a',
    sizeOf: readPngSize,
  },
  { type: 'image/jpeg', isOne: (bytes) => bytes.toString('hex', 0, 3) === 'ffd8ff', sizeOf: readJpegHeader },
  {
    type: 'image/webp',
    isOne: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
    sizeOf: readWebpSize,
  },
];

/** The type by content, never by name. @throws AppError FIELD_INVALID for what is no logo */
export function judgeLogo(bytes: Buffer): LogoType {
  if (bytes.length > logoLimits.bytes) throw refused('is larger than 48 KiB');
  const kind = kinds.find(({ isOne }) => isOne(bytes));
  if (kind === undefined) throw refused('is no PNG, JPEG or WebP picture');
  const size = kind.sizeOf(bytes);
  if (size === undefined || size.width === 0 || size.height === 0) throw refused('cannot be read');
  const { width, height } = size;
  if (width > logoLimits.width || height > logoLimits.height)
    throw refused(`has ${width} x ${height} pixels; at most 800 x 400 are taken`);
  return kind.type;
}

function refused(why: string): AppError {
  return new AppError({ code: 'FIELD_INVALID', publicMessage: `The logo ${why}` });
}

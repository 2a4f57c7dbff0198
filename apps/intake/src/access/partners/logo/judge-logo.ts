import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { type LogoType, logoLimits } from '@rubrica/contracts/shared/logo';
import { AppError } from '@rubrica/process';
import { type ImageSize, readJpegHeader, readPngSize, readWebpSize } from '../../../base/image-header.ts';

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
  if (bytes.length > logoLimits.bytes) throw refused(createText('partner.logoTooLarge'));
  const kind = kinds.find(({ isOne }) => isOne(bytes));
  if (kind === undefined) throw refused(createText('partner.logoType'));
  const size = kind.sizeOf(bytes);
  if (size === undefined || size.width === 0 || size.height === 0)
    throw refused(createText('partner.logoUnreadable'));
  const { width, height } = size;
  if (width > logoLimits.width || height > logoLimits.height)
    throw refused(createText('partner.logoPixels', { size: `${width} x ${height}` }));
  return kind.type;
}

function refused(text: ErrorText): AppError {
  return new AppError({ code: 'FIELD_INVALID', text });
}

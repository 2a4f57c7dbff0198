import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { type LogoType, logoLimits } from '@rubrica/contracts/shared/logo';
import { AppError } from '@rubrica/process/errors';
import { type ImageSize, readJpegHeader, readPngSize, readWebpSize } from '../../../base/image-header.ts';

interface LogoKind {
  readonly type: LogoType;
  matches(bytes: Buffer): boolean;
  readSize(bytes: Buffer): ImageSize | undefined;
}

const kinds: readonly LogoKind[] = [
  {
    type: 'image/png',
    matches: (bytes) => bytes.toString('hex', 0, 8) === '89504e470d0a1a0a',
    readSize: readPngSize,
  },
  {
    type: 'image/jpeg',
    matches: (bytes) => bytes.toString('hex', 0, 3) === 'ffd8ff',
    readSize: readJpegHeader,
  },
  {
    type: 'image/webp',
    matches: (bytes) =>
      bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
    readSize: readWebpSize,
  },
];

/** Determines the type by content, never by name. @throws AppError FIELD_INVALID if the bytes are no logo */
export function judgeLogo(bytes: Buffer): LogoType {
  if (bytes.length > logoLimits.bytes) throw invalidLogo(createText('partner.logoTooLarge'));
  const kind = kinds.find(({ matches }) => matches(bytes));
  if (kind === undefined) throw invalidLogo(createText('partner.logoType'));
  const size = kind.readSize(bytes);
  if (size === undefined || size.width === 0 || size.height === 0)
    throw invalidLogo(createText('partner.logoUnreadable'));
  const { width, height } = size;
  if (width > logoLimits.width || height > logoLimits.height)
    throw invalidLogo(createText('partner.logoPixels', { size: `${width} x ${height}` }));
  return kind.type;
}

function invalidLogo(text: ErrorText): AppError {
  return new AppError({ code: 'FIELD_INVALID', text });
}

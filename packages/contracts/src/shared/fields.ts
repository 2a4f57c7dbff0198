import { z } from 'zod';
import { checkMessage, toCheckMessage } from '../error-texts/check-message.ts';
import { dateTimeForms, dateTimePattern, hasZoneName } from './date-time.ts';
import { describeEmailFault, emailPattern } from './email.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is refused here
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

function isPrintable(text: string): boolean {
  return !CONTROL_CHARACTERS.test(text) && !LONE_SURROGATE.test(text);
}

/** Tells whether PostgreSQL can store the text: it refuses NUL, and jsonb also half a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Creates a schema for text of up to `max` characters. Every input text that may be stored or looked up uses it, or a
 * stricter one.
 */
export function text(max: number) {
  return z
    .string()
    .max(max, checkMessage('field.maxCharacters', { count: max }))
    .refine(isStorable, checkMessage('field.unstorable'));
}

/** Creates a schema for one line of text, 1 to `max` characters, without control characters. */
export function lineField(max: number) {
  return z
    .string()
    .min(1, checkMessage('field.empty'))
    .max(max, checkMessage('field.maxCharacters', { count: max }))
    .refine(isPrintable, checkMessage('field.controlCharacters'));
}

export const idSchema = z.uuid(checkMessage('field.uuid'));
export const name = lineField(100);
/** E-mail address of operators and partners. */
export const email = z
  .email(checkMessage('field.email'))
  .max(100, checkMessage('field.maxCharacters', { count: 100 }));
/** E-mail address of applicants, as partners send it. */
export const mailbox = z
  .email({
    pattern: emailPattern,
    error: ({ input }) => toCheckMessage(describeEmailFault(typeof input === 'string' ? input : '')),
  })
  .max(100, checkMessage('field.maxCharacters', { count: 100 }));
export const address = lineField(250);
export const referenceTransaction = lineField(150);

/**
 * Password of the file, 8 to 64 characters of U+0020 to U+007E, never trimmed. No encoding of a password beyond ASCII
 * opens everywhere: stock Java opens such a file in none, programs on node-forge only in the legacy encoding.
 */
export const password = z
  .string()
  .min(8, checkMessage('field.minCharacters', { count: 8 }))
  .max(64, checkMessage('field.maxCharacters', { count: 64 }))
  .regex(/^[\x20-\x7E]*$/, checkMessage('field.printableAscii'))
  .describe('8 to 64 characters of printable ASCII (U+0020 to U+007E), used unchanged');

export const url = z
  .url({ protocol: /^https?$/, error: checkMessage('field.url') })
  .max(2048, checkMessage('field.maxCharacters', { count: 2048 }))
  .refine(isPrintable, checkMessage('field.controlCharacters'));

/**
 * Date as `yyyy-MM-dd`, `yyyy-MM-dd HH:mm:ss` or ISO 8601. Rules check that it exists in the calendar and lies in the
 * future.
 */
export const dateInput = z
  .string()
  .refine((text) => !hasZoneName(text), checkMessage('field.zoneName'))
  .regex(dateTimePattern, dateTimeForms);

/** Bytes as an array of integers (-128…255) or as base64, with or without a `data:` prefix. */
export const binary = z
  .union([z.string(), z.array(z.int().min(-128).max(255))])
  .describe('Bytes: an array of integers (-128 to 255) or base64, with or without a data: prefix');

/** Kinds of content that a file field accepts (specification 2.3; completion of the interface, sections 1 and 6). */
export type FileKind = 'image' | 'pdf' | 'video';

const fileKinds = z.registry<{ readonly kinds: readonly FileKind[] }>();

/** Creates the schema of a field that holds one file; its content decides its kind. */
export function file(kinds: readonly FileKind[], about: string) {
  return binary.meta({ description: `${about}. ${binary.description}` }).register(fileKinds, { kinds });
}

/** Reads the kinds that a field created by `file` accepts, optional or not. */
export function readFileKinds(field: z.ZodType): readonly FileKind[] {
  if (field instanceof z.ZodOptional) return readFileKinds(field.unwrap() as z.ZodType);
  const known = fileKinds.get(field);
  if (known === undefined) throw new Error('this field is no file');
  return known.kinds;
}

/** Instant on the bus: ISO 8601 in UTC. The edge converts it to the service's time zone. */
export const instant = z.iso
  .datetime({ offset: false })
  .refine((text) => !text.startsWith('0000'), checkMessage('field.yearZero'));

/** Compact JWE (RFC 7516), sealed to one service. */
export const sealed = text(200_000).min(1);

/** Serial number of a certificate: hexadecimal without separators, accepted in either case. */
export const serialNumber = z.string().regex(/^[0-9A-Fa-f]{2,40}$/, checkMessage('field.serialNumber'));

export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

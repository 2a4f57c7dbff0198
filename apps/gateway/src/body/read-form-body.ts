import { isUtf8 } from 'node:buffer';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { decodeDocument } from '@rubrica/json-stream';
import { type ByteBudget, type Pace, withBytes } from '@rubrica/process/bodies';
import { AppError } from '@rubrica/process/errors';
import { listCallerKeys } from '../http/caller-keys.ts';
import type { BodyPlan, BodyRequest } from './body.ts';
import { parseMediaType } from './media-type.ts';
import { withDecodingErrors } from './refused-document.ts';

const maxParameters = 50;

/**
 * Reads `application/x-www-form-urlencoded`, and JSON of the pages' scripts. A repeated parameter becomes an array,
 * which the field's own check refuses.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or BODY_MALFORMED; RATE_LIMITED or SERVICE_UNAVAILABLE
 * without memory for it
 */
export type ReadForm = (request: BodyRequest, plan: BodyPlan) => Promise<Readonly<Record<string, unknown>>>;

export interface FormBodyReaderOptions {
  readonly budget: ByteBudget;
  readonly pace: Pace;
  /**
   * False for the token endpoint, which accepts only the form of RFC 6749 §4.4.2: JSON would be read as a wrong secret.
   */
  readonly takesJson: boolean;
}

export function createFormBodyReader({ budget, pace, takesJson }: FormBodyReaderOptions): ReadForm {
  return async (request, plan) => {
    const { raw } = request;
    const type = parseMediaType(raw.headers);
    if (type !== 'application/x-www-form-urlencoded' && !(takesJson && type === 'application/json')) {
      throw new AppError({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        text: createText('call.bodyNotForm'),
      });
    }
    const allowance = budget.of(listCallerKeys(request));
    return withBytes(raw, { maxBytes: plan.maxBytes, allowance, pace }, (bytes) =>
      type === 'application/json'
        ? withDecodingErrors(() => decodeDocument(bytes, plan)).fields
        : parseForm(bytes),
    );
  };
}

function parseForm(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw new AppError({ code: 'BODY_MALFORMED', text: createText('call.bodyNotUtf8') });
  const fields: Record<string, unknown> = Object.create(null);
  let count = 0;
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    count += 1;
    if (count > maxParameters) {
      throw new AppError({ code: 'BODY_MALFORMED', text: createText('call.formTooLong') });
    }
    const present = fields[name];
    fields[name] =
      present === undefined ? value : Array.isArray(present) ? [...present, value] : [present, value];
  }
  return fields;
}

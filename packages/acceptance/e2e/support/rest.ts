import { type ErrorObject, errorObjectSchema } from '@rubrica/contracts/shared/errors';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed if the answer is JSON, text otherwise. */
  readonly body: unknown;
}

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; text and bytes are sent unchanged. */
  readonly body?: object | string | Uint8Array<ArrayBuffer>;
}

/** Makes one HTTP call, with any answer. */
export async function send(baseUrl: string, call: Call): Promise<Answer> {
  const url = new URL(call.path, baseUrl);
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  const response = await fetch(url, {
    method: call.method ?? (call.body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
      ...call.headers,
    },
    ...(call.body !== undefined && { body: toBody(call.body) }),
  });
  return { status: response.status, headers: response.headers, body: parse(await response.text()) };
}

function toBody(body: object | string | Uint8Array<ArrayBuffer>): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads the error object of an answer; fails if there is none, or its status differs from its body's. */
export function parseErrorAnswer(answer: Answer): ErrorObject {
  const error = errorObjectSchema.parse(answer.body);
  if (error.status !== answer.status) throw new Error(`HTTP ${answer.status} says it is ${error.status}`);
  return error;
}

export const listErrorCodes = (answer: Answer): string[] =>
  parseErrorAnswer(answer).errors.map(({ code }) => code);

import type { Json, JsonObject } from '@rubrica/openapi/json';

/** Documented call, independent of its programming language. */
export interface SampleCall {
  readonly operationId: string;
  readonly method: string;
  readonly url: string;
  /** Path parameters, which the SDK expects among the fields. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly access: 'token' | 'client' | 'none';
  readonly mediaType: string | undefined;
  readonly body: JsonObject | undefined;
  /** True if the answer is not JSON and goes to a file. */
  readonly isBinary: boolean;
}

export function buildUrl({ url, query }: SampleCall): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? url : `${url}?${text}`;
}

/** Writes JSON as a literal of another language: equal punctuation, other words and indentation. */
export function literal(value: Json, words: Readonly<Record<string, string>>, indent: string): string {
  return write(value, '');
  function write(one: Json, before: string): string {
    const inner = before + indent;
    if (Array.isArray(one)) {
      if (one.length === 0) return '[]';
      return `[\n${one.map((item) => `${inner}${write(item, inner)},\n`).join('')}${before}]`;
    }
    if (typeof one === 'object' && one !== null) {
      const fields = Object.entries(one).map(
        ([name, field]) => `${inner}${formatKey(name)}: ${write(field, inner)},\n`,
      );
      return fields.length === 0 ? '{}' : `{\n${fields.join('')}${before}}`;
    }
    return words[String(one)] !== undefined && typeof one !== 'string'
      ? (words[String(one)] ?? '')
      : JSON.stringify(one);
  }
  function formatKey(name: string): string {
    return words.bareKeys === undefined ? JSON.stringify(name) : name;
  }
}

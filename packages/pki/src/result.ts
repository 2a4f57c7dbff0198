/** Outcome of reading external data: a value, or the reason why there is none. Never an exception. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function failedResult<E>(error: E): { ok: false; error: E } {
  return { ok: false, error };
}

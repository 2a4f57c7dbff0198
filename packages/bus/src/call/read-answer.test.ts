import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer } from './read-answer.ts';

const answerOf = (body: string | Uint8Array) =>
  readAnswer({ data: typeof body === 'string' ? Buffer.from(body) : body }, undefined);

describe('reading an answer', () => {
  it('gives the data of a result, whatever JSON it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const expected = JSON.parse(JSON.stringify(data));
        expect(answerOf(JSON.stringify({ result: { data } }))).toEqual({ kind: 'data', data: expected });
      }),
    );
  });

  it('gives undefined for a result without data', () => {
    expect(answerOf('{"result":{}}')).toEqual({ kind: 'data', data: undefined });
  });

  it('makes a client error of an error shape', () => {
    const answer = answerOf('{"error":{"code":-32004,"message":"gone","data":{"code":"NOT_FOUND"}}}');
    expect(answer).toMatchObject({
      kind: 'error',
      error: { message: 'gone', data: { code: 'NOT_FOUND' } },
    });
  });

  it('says which call is answered, where the answer does', () => {
    expect(answerOf('{"id":7,"result":{"data":1}}')).toEqual({ id: 7, kind: 'data', data: 1 });
    expect(answerOf('{"id":7,"error":{"code":1,"message":""}}')).toMatchObject({ id: 7, kind: 'error' });
    expect(answerOf('{"id":7,"bus":"timeout"}')).toEqual({ id: 7, kind: 'timeout' });
    expect(answerOf('{"id":7}')).toMatchObject({ id: 7, kind: 'malformed' });
    expect(answerOf('{"id":"7","result":{"data":1}}')).toEqual({ kind: 'data', data: 1 });
  });

  it('knows calls that the server ended itself', () => {
    for (const kind of ['overloaded', 'deadline-passed', 'timeout']) {
      expect(answerOf(JSON.stringify({ bus: kind, error: {} }))).toEqual({ kind });
    }
  });

  it('calls everything else malformed and never throws', () => {
    for (const body of [
      '',
      'null',
      '[]',
      '{}',
      '{"error":{}}',
      '{"error":{"code":"x","message":1}}',
      '"x"',
    ]) {
      expect(answerOf(body).kind, body).toBe('malformed');
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(answerOf(bytes).kind).toBe('malformed');
      }),
      { numRuns: 1_000 },
    );
  });
});

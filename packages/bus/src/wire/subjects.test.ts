import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertSubject, assertSubjectFilter, isReplySubject, isSubject, toInboxPrefix } from './subjects.ts';

const token = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const subject = fc.array(token, { minLength: 1, maxLength: 8 }).map((tokens) => tokens.join('.'));

describe('a subject', () => {
  it('is any row of dot-separated tokens up to 200 characters', () => {
    fc.assert(
      fc.property(subject, (text) => {
        expect(isSubject(text)).toBe(true);
      }),
    );
  });

  it('holds no character that NATS gives a meaning, wherever it stands', () => {
    const harmful = fc.constantFrom(' ', '\r', '\n', '\t', '*', '>', '$', '\0', '/', 'ñ', '\u2028');
    fc.assert(
      fc.property(subject, harmful, fc.nat(), (text, bad, at) => {
        const where = at % (text.length + 1);
        expect(isSubject(text.slice(0, where) + bad + text.slice(where))).toBe(false);
      }),
    );
  });

  it('has no empty token and no more than 200 characters', () => {
    for (const text of ['', '.', 'a.', '.a', 'a..b', 'a'.repeat(201)]) expect(isSubject(text)).toBe(false);
    expect(isSubject('a'.repeat(200))).toBe(true);
  });

  it('is never something that could end a protocol line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (isSubject(text)) expect(text).toMatch(/^[\w.-]+$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is quoted, shortened, when it is refused', () => {
    expect(() => assertSubject(`${'x '.repeat(300)}`)).toThrow(/^Not a subject .{0,250}$/);
  });
});

describe('a reply subject', () => {
  it('is an inbox, of the default prefix or a named one', () => {
    expect(isReplySubject('_INBOX.abc.1')).toBe(true);
    expect(isReplySubject('_INBOX_gateway.abc.1')).toBe(true);
  });

  it('is nothing else, however it begins', () => {
    for (const text of [
      '',
      '_INBOX',
      '_INBOX_gateway',
      '_INBOXES.a',
      'rpc.v1.intake.requests.cancel',
      '$JS.API.STREAM.DELETE.EVENTS',
      '_INBOX.>',
      '_INBOX.*',
      '_INBOX.a b',
      '_INBOX.a\r\nPUB x 0',
    ]) {
      expect(isReplySubject(text), text).toBe(false);
    }
  });
});

describe('a bus name', () => {
  it('becomes one token of the inbox', () => {
    expect(toInboxPrefix('gateway-2')).toBe('_INBOX_gateway-2');
  });

  it('cannot widen the inbox', () => {
    for (const name of ['', 'a.b', 'a*', 'a b', 'a_b', 'x'.repeat(41)]) {
      expect(() => toInboxPrefix(name), name).toThrow(TypeError);
    }
  });
});

describe('a subject filter', () => {
  it('may hold wildcards and system subjects', () => {
    for (const text of ['jobs.>', 'a.*.b', '$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.>']) {
      expect(assertSubjectFilter(text)).toBe(text);
    }
  });

  it('is still checked token by token', () => {
    for (const text of ['', 'a.>.b', 'a b', 'a.**', 'a>', 'a..b', `a${'.b'.repeat(100)}`]) {
      expect(() => assertSubjectFilter(text), text).toThrow(TypeError);
    }
  });
});

import type { Caller } from '@rubrica/contracts/shared/caller';
import { describe, expect, it } from 'vitest';
import { withContext } from '../context/ambient-context.ts';
import { traceIdOf } from '../context/traceparent.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import { createLogger } from '../log/logger.ts';
import { isUuidv7 } from '../time/uuidv7.ts';
import { createCallContext, outgoingHeaders } from './call-context.ts';

const caller: Caller = { kind: 'service', name: 'gateway' };
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const keyring = {
  signIdentity: () => 'good',
  async verifyIdentity(token: string): Promise<Caller> {
    if (token === 'good') return caller;
    throw new KeyringError('expired', 'the token has expired');
  },
};
const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
const createContext = createCallContext(keyring, logger);
const { signal } = new AbortController();

describe('createCallContext', () => {
  it('takes caller, request id and trace from the headers of a peer', async () => {
    const headers = withContext({ requestId: 'req-1', traceparent }, () => outgoingHeaders(keyring, caller));
    const context = await createContext({ headers, signal, deadlineAt: 5 });
    expect(context).toMatchObject({ caller, requestId: 'req-1', traceparent, deadlineAt: 5 });
    expect(context.signal).toBe(signal);
  });

  it.each([undefined, '', 'good', 'Basic good', 'Bearer bad', 'bearer good'])(
    'refuses a call whose authorization is %j',
    async (authorization) => {
      await expect(createContext({ headers: { authorization }, signal })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        cause: { code: 'UNAUTHENTICATED' },
      });
    },
  );

  it('replaces ids that could break a log line or are not a trace', async () => {
    const headers = { authorization: 'Bearer good', 'x-request-id': 'a\nb', traceparent: '00-0-0-01' };
    const context = await createContext({ headers, signal });
    expect(isUuidv7(context.requestId)).toBe(true);
    expect(traceIdOf(context.traceparent)).toMatch(/^[0-9a-f]{32}$/);
  });
});

import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import { describe, expect, it } from 'vitest';
import { withContext } from '../context/ambient-context.ts';
import { readTraceId } from '../context/traceparent.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import { createLogger } from '../log/logger.ts';
import { isUuidv7 } from '../time/uuidv7.ts';
import { createCallContext, outgoingHeaders } from './call-context.ts';

const partner: VouchedCaller = {
  kind: 'partner',
  partnerId: '01890a5d-ac96-774b-bcce-b302099a8057',
  clientId: 'c',
  scopes: [],
};
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
async function identify(token: string, peer: string): Promise<VouchedCaller> {
  if (token === 'good' && peer === 'gateway') return partner;
  throw new KeyringError('expired', 'the token has expired');
}
const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
const createContext = createCallContext(identify, logger);
const { signal } = new AbortController();

describe('createCallContext', () => {
  it('knows who calls by the subject, and takes for whom, request id and trace from the headers', async () => {
    const headers = withContext({ requestId: 'req-1', traceparent }, () => outgoingHeaders('good'));
    const context = await createContext({ caller: 'gateway', headers, signal, deadlineAt: 5 });
    expect(context).toMatchObject({
      peer: 'gateway',
      caller: partner,
      requestId: 'req-1',
      traceparent,
      deadlineAt: 5,
    });
    expect(context.signal).toBe(signal);
  });

  it('takes a call that names nobody as one that the service makes for itself', async () => {
    const headers = outgoingHeaders();
    const context = await createContext({ caller: 'terms', headers, signal });
    expect(context).toMatchObject({ peer: 'terms', caller: { kind: 'service', name: 'terms' } });
  });

  it.each([undefined, '', 'operator', 'Gateway'])(
    'refuses the bus user %j, which is no service',
    async (caller) => {
      const headers = { authorization: 'Bearer good' };
      await expect(createContext({ caller, headers, signal })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
    },
  );

  it('refuses a token in the hands of a service that it was not made for', async () => {
    const headers = outgoingHeaders('good');
    await expect(createContext({ caller: 'terms', headers, signal })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it.each(['', 'good', 'Basic good', 'Bearer bad', 'bearer good'])(
    'refuses a call whose authorization is %j',
    async (authorization) => {
      await expect(
        createContext({ caller: 'gateway', headers: { authorization }, signal }),
      ).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        cause: { code: 'UNAUTHENTICATED' },
      });
    },
  );

  it('replaces ids that could break a log line or are not a trace', async () => {
    const headers = { authorization: 'Bearer good', 'x-request-id': 'a\nb', traceparent: '00-0-0-01' };
    const context = await createContext({ caller: 'gateway', headers, signal });
    expect(isUuidv7(context.requestId)).toBe(true);
    expect(readTraceId(context.traceparent)).toMatch(/^[0-9a-f]{32}$/);
  });
});

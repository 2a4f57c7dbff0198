import { type Bus, createBusClient } from '@rubrica/bus';
import type { TermsRecord, TermsType } from '@rubrica/contracts/shared/terms';
import { type Keyring, outgoingHeaders, toAppError } from '@rubrica/process';
import type { TermsServiceRouter } from '@rubrica/terms/routers';

/** The terms that are in force now; null where the type has none. Rejects when nobody answers. */
export type ActiveTerms = (type: TermsType) => Promise<Pick<TermsRecord, 'id' | 'version'> | null>;

/** The holder waits, and can press again. */
const timeoutMs = 5_000;

export function createTermsClient(bus: Bus, keyring: Pick<Keyring, 'signIdentity'>): ActiveTerms {
  const { terms } = createBusClient<TermsServiceRouter>(bus, {
    subjectPrefix: 'rpc.v1.terms',
    timeoutMs,
    headers: () => outgoingHeaders(keyring, { kind: 'service', name: 'intake' }),
  });
  return async (type) => {
    try {
      return await terms.active.query({ type });
    } catch (error) {
      const fault = toAppError(error);
      if (fault.code === 'NO_ACTIVE_TERMS') return null;
      throw fault;
    }
  };
}

import { type Bus, createBusClient } from '@rubrica/bus';
import type { GenerationServiceRouter } from '@rubrica/generation/routers';
import { type Keyring, outgoingHeaders, toAppError } from '@rubrica/service';
import type { GenerationClient } from './certificate-state.ts';

/** The status must not wait long for a generation that is down: what intake last knew is an answer too. */
const timeoutMs = 1_000;

export const createGenerationClient = (bus: Bus, keyring: Keyring): GenerationClient => {
  const client = createBusClient<GenerationServiceRouter>(bus, {
    subjectPrefix: 'rpc.v1.generation',
    timeoutMs,
    headers: () => outgoingHeaders(keyring, { kind: 'service', name: 'intake' }),
  });
  return {
    async certificateByRequest(requestId) {
      try {
        return await client.certificates.byRequest.query({ requestId });
      } catch (error) {
        const fault = toAppError(error);
        if (fault.code === 'CERTIFICATE_NOT_FOUND') return null;
        throw fault;
      }
    },
  };
};

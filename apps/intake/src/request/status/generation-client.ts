import { type Bus, createBusClient } from '@rubrica/bus';
import type { GenerationServiceRouter } from '@rubrica/generation/routers';
import { type Keyring, outgoingHeaders, toAppError } from '@rubrica/process';
import type { GenerationClient } from './certificate-state.ts';

/** The status must not wait long for a generation that is down: what intake last knew is an answer too. */
const timeoutMs = 1_000;
/** A revocation is worth waiting for. */
const revokeTimeoutMs = 8_000;

export function createGenerationClient(bus: Bus, keyring: Keyring): GenerationClient {
  const options = {
    subjectPrefix: 'rpc.v1.generation',
    headers: () => outgoingHeaders(keyring, { kind: 'service', name: 'intake' }),
  };
  const client = createBusClient<GenerationServiceRouter>(bus, { ...options, timeoutMs });
  const revoking = createBusClient<GenerationServiceRouter>(bus, { ...options, timeoutMs: revokeTimeoutMs });
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
    async revokeCertificate(input) {
      try {
        return await revoking.certificates.revoke.mutate(input);
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}

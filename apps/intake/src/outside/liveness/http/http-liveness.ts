import type { OutsideSystem } from '../../outside-system.ts';
import type { Liveness } from '../liveness.ts';
import { resultSchema, sessionSchema } from './contract.ts';

/**
 * Creates the client of a provider of proofs of life, or of an adapter in front of one, by the contract in
 * the README.
 */
export function createHttpLiveness({ provider }: { provider: Pick<OutsideSystem, 'call'> }): Liveness {
  return {
    hasOurPage: false,
    async createSession({ requestId, attempt, identificationNumber, selfie, signal }) {
      const content = Buffer.from(selfie.content).toString('base64');
      const answer = await provider.call({
        method: 'POST',
        path: '/sessions',
        body: { identificationNumber, attempt, selfie: { mediaType: selfie.mediaType, content } },
        schema: sessionSchema,
        requestId,
        attempt,
        signal,
      });
      if (answer.outcome !== 'found') return { outcome: 'unavailable' };
      return { outcome: 'created', session: answer.value };
    },
    async getResult({ requestId, attempt, sessionId, signal }) {
      const answer = await provider.call({
        method: 'GET',
        path: `/sessions/${encodeURIComponent(sessionId)}`,
        schema: resultSchema,
        requestId,
        attempt,
        signal,
      });
      return answer.outcome === 'found' ? { outcome: 'found', result: answer.value } : answer;
    },
  };
}

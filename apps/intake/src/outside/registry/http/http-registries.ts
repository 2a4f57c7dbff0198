import { type Clock, formatLocalDate } from '@rubrica/process/time';
import type { OutsideSystem } from '../../outside-system.ts';
import type { Registries } from '../registry.ts';
import { companySchema, personSchema } from './contract.ts';

export interface HttpRegistriesOptions {
  readonly civil: Pick<OutsideSystem, 'call'>;
  readonly tax: Pick<OutsideSystem, 'call'>;
  readonly clock: Clock;
  readonly timeZone: string;
}

/**
 * Creates the clients of the registries, or of adapters in front of them, by the contract in the README
 * ("Registries and liveness").
 */
export function createHttpRegistries({ civil, tax, clock, timeZone }: HttpRegistriesOptions): Registries {
  const schema = personSchema(() => formatLocalDate(clock(), timeZone));
  return {
    async lookUpPerson({ requestId, attempt, identificationNumber, fingerCode, names, signal }) {
      const answer = await civil.call({
        method: 'POST',
        path: '/persons/lookup',
        body: { identificationNumber, fingerCode, names },
        schema,
        requestId,
        attempt,
        signal,
      });
      if (answer.outcome !== 'found') return answer;
      // A request without names takes those of the registry: an answer that lacks them is of no use.
      if (names === null && answer.value.names === null) return { outcome: 'unavailable' };
      return { outcome: 'found', person: answer.value };
    },
    async lookUpCompany({ requestId, attempt, ruc, identificationNumber, signal }) {
      const answer = await tax.call({
        method: 'POST',
        path: '/companies/lookup',
        body: { ruc, identificationNumber },
        schema: companySchema,
        requestId,
        attempt,
        signal,
      });
      return answer.outcome === 'found' ? { outcome: 'found', ...answer.value } : answer;
    },
  };
}

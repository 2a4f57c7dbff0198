import { createRubrica, type RubricaOptions } from '../src/index.ts';
import type { ScriptedService } from './scripted-service.ts';

/** A client of a scripted service whose clock stands still but for its own pauses, which take no time. */
export function testClient(service: ScriptedService, options: Partial<RubricaOptions> = {}) {
  const clock = { now: Date.now() };
  const pauses: number[] = [];
  const rubrica = createRubrica(
    { baseUrl: service.url, clientId: 'partner', clientSecret: 'secret', ...options } as RubricaOptions,
    {
      now: () => clock.now,
      random: () => 0.5,
      async pause(ms, signal) {
        signal?.throwIfAborted();
        pauses.push(ms);
        clock.now += ms;
      },
    },
  );
  return { rubrica, clock, pauses };
}

export const applicant = {
  identificationNumber: '2450010000',
  fingerCode: 'V4333V2222',
  emailAddress: 'maria@example.com',
  cellphoneNumber: '+593991234567',
  period: 'ONE_YEAR',
  referenceTransaction: 'TX-1',
} as const;

/** A UUID v7 made at this time. */
export function idMadeAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7c44-9d0a-3f6e2b8c1d70`;
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { errorCatalogue, type Message } from '@rubrica/contracts';
import { crashpoint } from '@rubrica/service';
import { crashPoints } from '../crash-points.ts';
import type { Dependencies } from '../dependencies.ts';
import { applyTransition } from '../request/apply-transition.ts';
import type { Request } from '../request/request.entity.ts';
import { lockById } from '../request/request.repository.ts';

type Issued = Message<'events.certificate.issued'>;
type Failed = Message<'events.certificate.failed'>;
type Needs = Pick<Dependencies, 'database' | 'clock' | 'newId' | 'rules'>;

/**
 * Writes down how generation ended. The attempt in hand is the inbox: an event that comes twice, or late, finds
 * the request no longer generating under that attempt and changes nothing.
 */
const recordOnce = (
  deps: Needs,
  event: { requestId: string; attempt: number },
  change: (em: EntityManager, request: Request) => Promise<unknown>,
): Promise<void> =>
  deps.database.transaction(async (em) => {
    const request = await lockById(em, event.requestId);
    if (request?.status !== 'GENERATING' || request.generationAttempt !== event.attempt) return;
    crashpoint(crashPoints.beforeIssuanceOutcome);
    await change(em, request);
  });

const cappedText = {
  ISSUER: 'The certificate ends before its period because its issuer does',
  APPOINTMENT: 'The certificate ends before its period because the appointment does',
} as const;

const common = (deps: Needs) => ({
  now: deps.clock(),
  actor: 'service:generation',
  newId: deps.newId,
  errorWindowDays: deps.rules.errorWindowDays,
});

export const createRecordIssued =
  (deps: Needs) =>
  async (event: Issued): Promise<undefined> => {
    await recordOnce(deps, event, async (em, request) => {
      const options = common(deps);
      request.serialNumber = event.serialNumber;
      request.notBefore = new Date(event.notBefore);
      request.notAfter = new Date(event.notAfter);
      // Generation keeps it inside the bundle; here it has served.
      request.sealedPassword = null;
      if (event.cappedBy)
        request.observations = [
          ...request.observations,
          {
            type: 'WARNING',
            code: 'VALIDITY_CAPPED',
            message: cappedText[event.cappedBy],
            createdDate: options.now.toISOString(),
          },
        ];
      await applyTransition(em, request, 'issue', options);
    });
    crashpoint(crashPoints.afterIssuanceOutcome);
  };

export const createRecordFailed =
  (deps: Needs) =>
  async (event: Failed): Promise<undefined> => {
    await recordOnce(deps, event, async (em, request) => {
      const { code } = event;
      const message = errorCatalogue[code].en;
      await applyTransition(em, request, 'failGeneration', {
        ...common(deps),
        code,
        message,
        failedStep: 'generation',
      });
    });
  };

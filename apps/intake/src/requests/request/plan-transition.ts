import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import type { WebhookEventType } from '@rubrica/contracts/rest/webhooks';
import type { Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { generationJob, type OutgoingMessage, validationJob, webhookJob } from '../../base/jobs.ts';
import { applyTrigger, canApply, type Effect, type Trigger, transitions } from './state-machine.ts';

/** Columns of a request that decide a transition. */
export interface RequestState {
  readonly id: string;
  readonly status: Status;
  readonly validationStatus: ValidationStatus;
  readonly validationAttempt: number;
  readonly generationAttempt: number;
  readonly callbackUrl: string | null;
}

export interface PlannedWebhookEvent {
  readonly id: string;
  readonly type: WebhookEventType;
  readonly message: string | null;
  readonly code: ErrorCode | null;
}

/** Everything that a transition writes, as values: the caller commits all of it in one transaction. */
export interface TransitionPlan {
  readonly trigger: Trigger;
  readonly status: Status;
  readonly validationStatus: ValidationStatus;
  readonly validationAttempt: number;
  readonly generationAttempt: number;
  readonly awaitsSlot: boolean;
  readonly destroysSecrets: boolean;
  readonly code: ErrorCode | null;
  readonly text: ErrorText | null;
  readonly messages: readonly OutgoingMessage[];
  readonly webhookEvent: PlannedWebhookEvent | null;
}

export interface PlanOptions {
  /** Reason of the transition, for the record and, if the partner is notified, the event. */
  readonly code?: ErrorCode;
  readonly text?: ErrorText;
  readonly newId: () => string;
  /** True if the transition starts generation and the certificate is ordered later: `issuance-slots.ts`. */
  readonly awaitsSlot?: boolean;
}

/** Error for a transition that the table does not allow from the request's current state. */
export class TransitionNotAllowed extends Error {
  readonly trigger: Trigger;
  readonly status: Status;
  constructor(trigger: Trigger, status: Status) {
    super(`${trigger} is not allowed in ${status}`);
    this.name = 'TransitionNotAllowed';
    this.trigger = trigger;
    this.status = status;
  }
}

function findEventType(effects: readonly Effect[]): WebhookEventType | null {
  const tellEffect = effects.find((effect) => effect.startsWith('tell-partner:'));
  return tellEffect ? (tellEffect.slice('tell-partner:'.length) as WebhookEventType) : null;
}

/** Returns whether a certificate is issued after it. */
export function startsGeneration(trigger: Trigger): boolean {
  return (transitions[trigger].effects as readonly Effect[]).includes('start-generation');
}

/** Plans the effect of `trigger` on `request`. Pure: ids come from `newId`. @throws TransitionNotAllowed */
export function planTransition(
  request: RequestState,
  trigger: Trigger,
  options: PlanOptions,
): TransitionPlan {
  const row = transitions[trigger];
  const creates = row.from.length === 0;
  if (!creates && !canApply(trigger, request.status)) throw new TransitionNotAllowed(trigger, request.status);
  const effects: readonly Effect[] = row.effects;
  const validates = effects.includes('start-validation');
  const generates = effects.includes('start-generation');
  const validationAttempt = request.validationAttempt + (validates ? 1 : 0);
  const generationAttempt = request.generationAttempt + (generates ? 1 : 0);
  const awaitsSlot = generates && options.awaitsSlot === true;
  const type = request.callbackUrl === null ? null : findEventType(effects);
  const webhookEvent = type && {
    id: options.newId(),
    type,
    message: options.text ? renderEnglish(options.text) : null,
    code: options.code ?? null,
  };
  return {
    trigger,
    ...applyTrigger(trigger, request.validationStatus),
    validationAttempt,
    generationAttempt,
    awaitsSlot,
    destroysSecrets: effects.includes('destroy-secrets'),
    code: options.code ?? null,
    text: options.text ?? null,
    messages: [
      ...(validates ? [validationJob(request.id, validationAttempt)] : []),
      ...(generates && !awaitsSlot ? [generationJob(request.id, generationAttempt)] : []),
      ...(webhookEvent ? [webhookJob(webhookEvent)] : []),
    ],
    webhookEvent,
  };
}

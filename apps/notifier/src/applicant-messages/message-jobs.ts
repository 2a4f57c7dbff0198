import type { Bus } from '@rubrica/bus';
import { consumers } from '@rubrica/contracts/messages/messages';
import type { ServiceParts } from '@rubrica/process/runner';
import { consumeMessages } from '@rubrica/wiring';
import { endJob } from '../store/gone-records.ts';
import type { ApplicantMessageQueues } from './message-queues.ts';

/**
 * Concurrent jobs. Each waits for a call, so few would leave the service idle, and jobs that wait together are written
 * together.
 */
const mailSlots = 64;
const smsSlots = 8;

export interface MessageJobsDeps {
  readonly streams: Bus;
  readonly applicantMessages: Pick<ApplicantMessageQueues, 'receive'>;
}

/** Turns the jobs of both streams into messages, which the queues send. */
export function startMessageJobs(
  { streams, applicantMessages }: MessageJobsDeps,
  { logger, runner }: Pick<ServiceParts, 'logger' | 'runner'>,
): void {
  const receive = ({ messageId }: { messageId: string }) =>
    endJob(applicantMessages.receive(messageId), { id: messageId, logger });
  const common = { bus: streams, logger };
  const mailJobs = consumeMessages({
    ...common,
    consumer: consumers.mailJobs,
    slots: mailSlots,
    handlers: { 'jobs.mail.send': receive },
  });
  runner.own('mail jobs', mailJobs.stop);
  const smsJobs = consumeMessages({
    ...common,
    consumer: consumers.smsJobs,
    slots: smsSlots,
    handlers: { 'jobs.sms.send': receive },
  });
  runner.own('sms jobs', smsJobs.stop);
}

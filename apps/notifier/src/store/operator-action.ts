import { runnerOf, type SqlTarget } from '@rubrica/database';

export type OperatorAction = {
  operatorId: string;
  action:
    | 'deliveries.resend'
    | 'deliveries.recover'
    | 'deliveries.ping'
    | 'deliveries.enableDestination'
    | 'messages.resend';
  subjectId: string;
  reason: string | undefined;
  /** Never a secret. */
  details?: Record<string, unknown>;
};

/** Belongs to the transaction of the change, so that neither exists without the other. */
export async function recordOperatorAction(em: SqlTarget, action: OperatorAction): Promise<void> {
  await runnerOf(em).execute(
    `insert into operator_action (operator_id, action, subject_id, reason, details)
     values ($1, $2, $3, $4, $5::jsonb)`,
    [
      action.operatorId,
      action.action,
      action.subjectId,
      action.reason ?? null,
      JSON.stringify(action.details ?? {}),
    ],
  );
}

import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { RowGuard } from '@rubrica/database/guarded';
import type { Language } from '../delivery/plan-message.ts';
import type { Details } from '../request/request.entity.ts';
import type { SideEffects } from '../request/write-transition.ts';
import { type ClaimToken, linkColumns, linkRow, planClaimMail } from './claim-link.ts';
import { forgetReminders, reminderRows } from './claim-reminders.ts';
import { getLinkRecipient } from './recipients.ts';

/**
 * Returns the side effects of an approval that waits for a claim: link, mail, reminders and the end of the
 * window. They are written with its transition.
 */
export function claimSideEffects(approval: {
  readonly requestId: string;
  readonly details: Details;
  readonly language: Language;
  readonly token: ClaimToken;
  readonly mailId: string;
  readonly claimWindowDays: number;
  readonly now: Date;
  readonly rows: Pick<RowGuard, 'protect'>;
}): SideEffects {
  const { requestId, details, language, token, mailId, claimWindowDays, now, rows } = approval;
  const claimExpiresAt = new Date(now.getTime() + claimWindowDays * DAY_MS);
  const mail = planClaimMail({
    requestId,
    recipient: getLinkRecipient(details),
    token,
    language,
    id: mailId,
    now,
  });
  return {
    claimExpiresAt,
    columns: { ...linkColumns(rows, { requestId, token, now }), claim_expires_at: claimExpiresAt },
    inserts: [
      mail.insert,
      linkRow(requestId, { token, claimExpiresAt }),
      reminderRows(requestId, { from: now, until: claimExpiresAt }),
    ],
    messages: [mail.message],
    updates: [forgetReminders],
  };
}

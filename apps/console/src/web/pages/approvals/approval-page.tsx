import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queryOf } from '../../client/queries.ts';
import { useSession } from '../../client/session.tsx';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { useParam } from '../../parts/param.ts';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Notice, Shown } from '../../parts/states.tsx';
import { useWordOf } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { ProposedLogo } from '../partners/logo.tsx';
import { approvalTexts } from './approval-texts.ts';
import { BeforeAndAfter } from './before-and-after.tsx';
import { nameOfRecord } from './differences.ts';
import { signedApproval } from './signed-approval.ts';

type Approval = OperatorOutput<'approvals.get'>;

/** One change that waits: what it does, and the decision about it. */
export default function ApprovalPage() {
  const t = useTexts(approvalTexts);
  const wordOf = useWordOf();
  const id = useParam('approvalId');
  // Decided, it is no longer there to be asked for: what was loaded stays.
  const query = useQuery({ ...queryOf('approvals.get', { id }), staleTime: Number.POSITIVE_INFINITY });
  const approval = query.data;
  return (
    <Page
      title={approval === undefined ? t.title : wordOf(approval.change.procedure)}
      actions={approval !== undefined && <Decisions approval={approval} />}
    >
      <Shown query={query}>
        {(shown) => (
          <>
            <Outline approval={shown} />
            <Section title={t.differences}>
              <BeforeAndAfter before={shown.before} after={shown.after} />
              {typeof shown.after.logo === 'string' && (
                <ProposedLogo base64={shown.after.logo} name={t.newLogo} />
              )}
            </Section>
          </>
        )}
      </Shown>
    </Page>
  );
}

function Outline({ approval }: { readonly approval: Approval }) {
  const t = useTexts(approvalTexts);
  const { email } = useSession();
  const { before, after, proposedBy, reason, createdAt, expiresAt } = approval;
  return (
    <Section title={t.outline}>
      {proposedBy === email && <Notice tone="warn">{t.own}</Notice>}
      <Facts
        rows={[
          [t.what, nameOfRecord(before ?? after)],
          [t.by, proposedBy],
          [t.reason, reason],
          [t.created, <Instant key="c" at={createdAt} />],
          [t.expires, <Instant key="e" at={expiresAt} />],
        ]}
      />
    </Section>
  );
}

function Decisions({ approval }: { readonly approval: Approval }) {
  const t = useTexts(approvalTexts);
  const { email } = useSession();
  const navigate = useNavigate();
  const { id, proposedBy } = approval;
  const own = proposedBy === email ? t.own : undefined;
  const leave = () => void navigate({ to: '/approvals' });
  return (
    <>
      <Action
        procedure="approvals.reject"
        label={t.reject}
        text={t.rejectText}
        tone="danger"
        toInput={() => ({ id })}
        done={() => t.rejected}
        onDone={() => {
          leave();
          return undefined;
        }}
      />
      <Action
        procedure="approvals.approve"
        label={t.approve}
        text={t.approveText}
        tone="primary"
        unavailable={own}
        toInput={() => signedApproval(id, t.cancelled)}
        done={() => t.approved}
        onDone={({ result }) => {
          const secrets = secretsOf(result);
          if (Object.keys(secrets).length > 0) return <ShownOnce values={secrets} />;
          leave();
          return undefined;
        }}
      />
    </>
  );
}

const secretNames = ['clientSecret', 'webhookSecret', 'secret', 'token', 'publicKey'];

/** What a change made that is shown once, such as the secrets of a new partner. */
function secretsOf(result: unknown): Readonly<Record<string, string>> {
  if (typeof result !== 'object' || result === null) return {};
  const found = Object.entries(result).filter(([name]) => secretNames.includes(name));
  if (found.length === 0) return {};
  const { clientId } = result as { readonly clientId?: string };
  return { ...(clientId !== undefined && { clientId }), ...Object.fromEntries(found) };
}

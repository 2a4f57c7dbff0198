import { selectShownOnce } from '@rubrica/contracts/operators/shown-once';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createQuery } from '../../client/queries.ts';
import { useSession } from '../../client/session.tsx';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { Instant } from '../../parts/instant.tsx';
import { NewSecrets } from '../../parts/new-secrets.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { useParam } from '../../parts/param.ts';
import { Notice, QueryResult } from '../../parts/query-result.tsx';
import { useLabelTexts } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { ProposedLogo } from '../partners/logo.tsx';
import { applyChange } from './apply-change.ts';
import { approvalTexts } from './approval-texts.ts';
import { BeforeAndAfter } from './before-and-after.tsx';
import { getRecordName } from './differences.ts';
import { formatExactText } from './exact-text.ts';
import { signApproval } from './signed-approval.ts';

type Approval = OperatorOutput<'approvals.get'>;

/** Shows one pending change and the decision on it. */
export default function ApprovalPage() {
  const t = useTexts(approvalTexts);
  const id = useParam('approvalId');
  const query = useQuery({
    ...createQuery('approvals.get', { id }),
    // Never shows the change of the previous page.
    placeholderData: undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.data !== undefined) return <WaitingChange key={id} loaded={query.data} />;
  return (
    <Page title={t.title}>
      <QueryResult query={query}>{() => null}</QueryResult>
    </Page>
  );
}

/**
 * Shows a change as first loaded, and compares the passkey's challenge with that object: a later answer must not
 * replace it while the operator decides. A decided change can no longer be loaded.
 */
function WaitingChange({ loaded }: { readonly loaded: Approval }) {
  const t = useTexts(approvalTexts);
  const getLabelText = useLabelTexts();
  const [approval] = useState(loaded);
  const after = applyChange(approval);
  return (
    <Page title={getLabelText(approval.change.procedure)} actions={<Decisions approval={approval} />}>
      <Outline approval={approval} />
      <Section title={t.differences}>
        <BeforeAndAfter before={approval.before} after={after} />
        {typeof after.logo === 'string' && <ProposedLogo base64={after.logo} name={t.newLogo} />}
      </Section>
    </Page>
  );
}

function Outline({ approval }: { readonly approval: Approval }) {
  const t = useTexts(approvalTexts);
  const { email } = useSession();
  const { change, before, proposedBy, createdAt, expiresAt } = approval;
  const { procedure, input } = change;
  return (
    <Section title={t.outline}>
      {proposedBy === email && <Notice tone="warn">{t.own}</Notice>}
      <Facts
        rows={[
          [t.procedure, <code key="p">{procedure}</code>],
          [t.what, getRecordName(before ?? applyChange(approval))],
          [t.by, proposedBy],
          [t.reason, input.reason === undefined ? null : formatExactText(input.reason)],
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
  const ownChangeReason = proposedBy === email ? t.own : undefined;
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
        unavailable={ownChangeReason}
        toInput={() => signApproval(approval, t)}
        done={() => t.approved}
        onDone={({ result }) => {
          const secrets = selectShownOnce(approval.change.procedure, result);
          if (Object.keys(secrets).length > 0) return <NewSecrets values={secrets} />;
          leave();
          return undefined;
        }}
      />
    </>
  );
}

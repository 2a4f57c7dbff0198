import { useQuery } from '@tanstack/react-query';
import { createQuery } from '../../client/queries.ts';
import { useSession } from '../../client/session.tsx';
import type { OperatorOutput } from '../../client/trpc.ts';
import { roles } from '../../data/inputs.data.ts';
import { Action } from '../../parts/action.tsx';
import { Badge } from '../../parts/badge.tsx';
import { ChoiceField } from '../../parts/field.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { useParam } from '../../parts/param.ts';
import { Notice, QueryResult } from '../../parts/query-result.tsx';
import { Related } from '../../parts/related.tsx';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { useAuditColumns } from '../audit/audit-columns.tsx';
import { MailLanguage } from './invite.tsx';
import { OperatorSessions } from './operator-sessions.tsx';
import { operatorTexts } from './operator-texts.ts';

type Operator = OperatorOutput<'operators.get'>;

/** Shows one account: its permissions and its actions. */
export default function OperatorPage() {
  const t = useTexts(operatorTexts);
  const operatorId = useParam('operatorId');
  const query = useQuery(createQuery('operators.get', { operatorId }));
  const operator = query.data;
  return (
    <Page
      title={operator?.email ?? t.operator}
      besideTitle={operator !== undefined && <Badge code={operator.enabled ? 'ENABLED' : 'DISABLED'} />}
      actions={operator !== undefined && <OperatorActions operator={operator} />}
    >
      <QueryResult query={query}>
        {(loaded) => (
          <>
            <Outline operator={loaded} />
            <OperatorSessions operator={loaded} />
            <Done email={loaded.email} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function Outline({ operator }: { readonly operator: Operator }) {
  const t = useTexts(operatorTexts);
  const getLabel = useLabels();
  const { email } = useSession();
  return (
    <Section title={t.outline}>
      {operator.email === email && <Notice>{t.own}</Notice>}
      <Facts
        rows={[
          [t.role, getLabel(operator.role).text],
          [t.may, t[operator.role]],
          [t.signsInAt, t[operator.signsInAt]],
          [t.created, <Instant key="c" at={operator.createdAt} />],
          [
            t.invitation,
            operator.invitation && (
              <>
                {t.invitedUntil} <Instant at={operator.invitation.expiresAt} />
              </>
            ),
          ],
        ]}
      />
    </Section>
  );
}

function OperatorActions({ operator }: { readonly operator: Operator }) {
  const t = useTexts(operatorTexts);
  const getLabel = useLabels();
  const { email } = useSession();
  const { operatorId, enabled, role, signsInAt } = operator;
  const own = operator.email === email ? t.own : undefined;
  const toInput = () => ({ operatorId });
  return (
    <>
      <Action
        procedure="operators.changeRole"
        label={t.changeRole}
        text={t.changeRoleText}
        unavailable={own}
        toInput={(form) => ({ operatorId, role: form.get('role') as Operator['role'] })}
        done={() => t.roleChanged}
      >
        <ChoiceField
          label={t.role}
          name="role"
          defaultValue={role}
          choices={roles.map((value) => ({ value, label: getLabel(value).text }))}
        />
      </Action>
      <Action
        procedure="operators.resetFactors"
        label={t.reset}
        text={t.resetText}
        unavailable={own ?? (signsInAt === 'organisation' ? t.resetThere : undefined)}
        toInput={(form) => ({ operatorId, language: form.get('language') as 'es' })}
        done={() => t.wasReset}
      >
        <MailLanguage />
      </Action>
      {enabled ? (
        <Action
          procedure="operators.disable"
          label={t.disable}
          text={t.disableText}
          tone="danger"
          unavailable={own}
          toInput={toInput}
          done={() => t.disabled}
        />
      ) : (
        <Action
          procedure="operators.enable"
          label={t.enable}
          text={t.enableText}
          unavailable={own}
          toInput={toInput}
          done={() => t.enabled}
        />
      )}
    </>
  );
}

function Done({ email }: { readonly email: string }) {
  const t = useTexts(operatorTexts);
  return (
    <Related
      title={t.did}
      procedure="audit.list"
      input={{ service: 'intake', actor: `operator:${email}`, limit: 20 }}
      columns={useAuditColumns()}
      rowId={({ id }) => id}
      empty={t.didNothing}
    />
  );
}

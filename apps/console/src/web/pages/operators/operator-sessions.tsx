import type { OperatorOutput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Age, Instant } from '../../parts/instant.tsx';
import { Section } from '../../parts/page.tsx';
import { formatBrowser } from '../../texts/format-browser.ts';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { operatorTexts } from './operator-texts.ts';

/** Lists an operator's sessions, and ends them. */
export function OperatorSessions({ operator }: { readonly operator: OperatorOutput<'operators.get'> }) {
  const t = useTexts(operatorTexts);
  const getLabel = useLabels();
  const { operatorId, sessions } = operator;
  const end = (
    <Action
      procedure="operators.endSessions"
      label={t.endSessions}
      text={t.endSessionsText}
      small
      unavailable={sessions.length === 0 ? t.noSessions : undefined}
      toInput={() => ({ operatorId })}
      done={({ ended }) => t.sessionsEnded(ended)}
    />
  );
  return (
    <Section title={t.sessions} actions={end}>
      {sessions.length === 0 ? (
        <p>{t.noSessions}</p>
      ) : (
        <DataTable
          caption={t.sessions}
          columns={[
            { id: 'method', label: t.method, cell: ({ method }) => getLabel(method).text },
            { id: 'address', label: t.address, cell: ({ address }) => address },
            {
              id: 'program',
              label: t.program,
              cell: ({ userAgent }) => <span title={userAgent}>{formatBrowser(userAgent)}</span>,
            },
            { id: 'created', label: t.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
            { id: 'used', label: t.used, cell: ({ lastUsedAt }) => <Age since={lastUsedAt} /> },
          ]}
          rows={sessions}
          rowId={({ sessionId }) => sessionId}
        />
      )}
    </Section>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createQuery } from '../../client/queries.ts';
import { usePermission } from '../../client/session.tsx';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Section } from '../../parts/page.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { useLabels } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './account.module.css';
import { EnrolPasskey } from './enrol-passkey.tsx';
import { EnrolTotp } from './enrol-totp.tsx';

const texts = createBilingual({
  en: {
    title: 'Second factors',
    none: 'You have none. With one, your password alone opens nothing.',
    left: (count: string) => `${count} recovery codes are left.`,
    totp: 'Authenticator app',
    kind: 'Kind',
    name: 'Name',
    created: 'Since',
    used: 'Last used',
    actions: 'Actions',
    remove: 'Remove',
    removeText: 'All your other sessions end.',
    removed: 'The factor was removed',
  },
  es: {
    title: 'Segundos factores',
    none: 'No tiene ninguno. Con uno, su contraseña sola no abre nada.',
    left: (count: string) => `Quedan ${count} códigos de recuperación.`,
    totp: 'Aplicación autenticadora',
    kind: 'Tipo',
    name: 'Nombre',
    created: 'Desde',
    used: 'Último uso',
    actions: 'Acciones',
    remove: 'Quitar',
    removeText: 'Terminan todas sus otras sesiones.',
    removed: 'Se quitó el factor',
  },
});

type Row = OperatorOutput<'auth.sessions'>['factors'][number];

/** Lists the operator's own second factors, and enrols new ones. */
export function Factors() {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const may = usePermission();
  const queries = useQueryClient();
  const [isEnrolling, setEnrolling] = useState(false);
  const query = useQuery(createQuery('auth.sessions', {}));
  const close = () => {
    setEnrolling(false);
    void queries.invalidateQueries();
  };
  const columns: readonly Column<Row>[] = [
    { id: 'kind', label: t.kind, cell: ({ kind }) => (kind === 'totp' ? t.totp : getLabel(kind).text) },
    { id: 'name', label: t.name, cell: ({ name }) => name },
    { id: 'created', label: t.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { id: 'used', label: t.used, cell: ({ lastUsedAt }) => <Instant at={lastUsedAt} /> },
    {
      id: 'actions',
      label: t.actions,
      atEnd: true,
      cell: ({ factorId }) => (
        <Action
          procedure="auth.removeFactor"
          label={t.remove}
          text={t.removeText}
          small
          tone="danger"
          toInput={() => ({ factorId })}
          done={() => t.removed}
        />
      ),
    },
  ];
  const add = may('auth.enrolTotp') && (
    <div className={styles.adders}>
      <Button onClick={() => setEnrolling(true)}>{t.totp}</Button>
      <EnrolPasskey onDone={close} />
    </div>
  );
  return (
    <Section title={t.title} actions={add}>
      <QueryResult query={query}>
        {({ factors, recoveryCodesLeft }) =>
          factors.length === 0 ? (
            <p>{t.none}</p>
          ) : (
            <>
              <DataTable
                caption={t.title}
                columns={columns}
                rows={factors}
                rowId={({ factorId }) => factorId}
              />
              <p>{t.left(String(recoveryCodesLeft))}</p>
            </>
          )
        }
      </QueryResult>
      <Dialog title={t.totp} open={isEnrolling} onOpenChange={close}>
        <EnrolTotp onDone={close} />
      </Dialog>
    </Section>
  );
}

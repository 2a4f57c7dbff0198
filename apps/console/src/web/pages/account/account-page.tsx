import { useSession } from '../../client/session.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { ChangePassword } from './change-password.tsx';
import { Factors } from './factors.tsx';
import { Sessions } from './sessions.tsx';

const texts = createBilingual({
  en: { title: 'My account', who: 'Operator', email: 'E-mail', role: 'Role' },
  es: { title: 'Mi cuenta', who: 'Operador', email: 'Correo electrónico', role: 'Rol' },
});

export default function AccountPage() {
  const t = useTexts(texts);
  const { email, role } = useSession();
  return (
    <Page title={t.title}>
      <Section title={t.who} actions={<ChangePassword />}>
        <Facts
          rows={[
            [t.email, email],
            [t.role, <Badge key="role" code={role} />],
          ]}
        />
      </Section>
      <Factors />
      <Sessions />
    </Page>
  );
}

import { Page } from '../../parts/page.tsx';
import { bilingual, useTexts } from '../../texts/texts.ts';
import { Chains } from './chains.tsx';

const texts = bilingual({ en: { title: 'Authorities' }, es: { title: 'Autoridades' } });

export default function AuthoritiesPage() {
  const t = useTexts(texts);
  return (
    <Page title={t.title}>
      <Chains />
    </Page>
  );
}

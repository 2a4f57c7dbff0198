import { Page } from '../../parts/page.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { AuthorityList } from './authority-list.tsx';
import { Chains } from './chains.tsx';

const texts = createBilingual({
  en: {
    title: 'Authorities',
    about:
      'What stands behind every certificate. Keys are made and certified by the commands of a ceremony, never here.',
  },
  es: {
    title: 'Autoridades',
    about:
      'Lo que respalda a cada certificado. Las llaves se crean y certifican con los comandos de una ceremonia, nunca aquí.',
  },
});

export default function AuthoritiesPage() {
  const t = useTexts(texts);
  return (
    <Page title={t.title} about={t.about}>
      <AuthorityList />
      <Chains />
    </Page>
  );
}

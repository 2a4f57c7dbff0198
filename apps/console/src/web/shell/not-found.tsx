import { Link } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/query-result.tsx';
import { createBilingual, useTexts } from '../texts/texts.ts';

const texts = createBilingual({
  en: { title: 'Page not found', text: 'Nothing is at this address.', home: 'Go to the overview' },
  es: { title: 'Página no encontrada', text: 'No hay nada en esta dirección.', home: 'Ir al resumen' },
});

export function NotFound() {
  const t = useTexts(texts);
  return (
    <Page title={t.title}>
      <Empty title={t.text}>
        <Link to="/">{t.home}</Link>
      </Empty>
    </Page>
  );
}

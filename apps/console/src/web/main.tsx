import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './design/variables.css';
import './design/base.css';

const place = document.getElementById('root');
if (place === null) throw new Error('the page has no place for the application');
createRoot(place).render(<App />);

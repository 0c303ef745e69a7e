import { h, render } from 'preact';
import { App } from './app.ts';
import { openSession } from './session.ts';

const place = document.getElementById('page');
if (place === null) throw new Error('the page has no place for its content');
render(h(App, { isOpen: await openSession() }), place);

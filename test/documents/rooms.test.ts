import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { floorOf, mayImport, picture, pure } from '../rooms.ts';
import { read, root, tableIn, withoutQuotes } from './markdown.ts';

const engine = 'shared/README.md';
const drawn = /```mermaid\n[^]*?```\n/;

test('the picture of the rooms is drawn from what each may import (UPDATE_ROOMS=1 draws it)', () => {
  if (process.env['UPDATE_ROOMS'] !== undefined)
    writeFileSync(join(root, engine), read(engine).replace(drawn, picture()));
  expect(drawn.exec(read(engine))?.[0]).toBe(picture());
});

test('the picture shows what a room may import, and leaves out what another line leads to', () => {
  const lines = picture().split('\n');
  expect(lines).toContain('  plan --> assess');
  expect(mayImport['plan']).toContain('drain');
  expect(lines).toContain('  kubernetes --> text & time');
});

test('the table has each room on its floor, the highest first', () => {
  const told = tableIn(engine, 'floor').flatMap(([floor, rooms = '']) =>
    withoutQuotes(rooms)
      .split(' ')
      .map((room) => [room.replace('/', ''), Number(floor)]),
  );
  expect(Object.fromEntries(told)).toEqual(
    Object.fromEntries(Object.keys(mayImport).map((room) => [room, floorOf(room)])),
  );
  const floors = told.map(([, floor]) => floor);
  expect(floors).toEqual(floors.toSorted((one, other) => Number(other) - Number(one)));
});

test('the rooms up to floor 7 are pure but adapters and cache, as the page says', () => {
  const low = Object.keys(mayImport).filter((room) => floorOf(room) <= 7);
  expect(low.filter((room) => !['adapters', 'cache'].includes(room)).toSorted()).toEqual(
    [...pure, 'async', 'observe'].toSorted(),
  );
  expect(read(engine)).toContain('Everything up to floor 7 except `adapters` and `cache` is pure');
});

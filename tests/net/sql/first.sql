BEGIN TRANSACTION;
CREATE TABLE accounts (
	id VARCHAR(80) NOT NULL, 
	balance BIGINT DEFAULT '0' NOT NULL, 
	opened BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE answers (
	serial INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	host VARCHAR(64) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	seat INTEGER NOT NULL, 
	id BLOB NOT NULL, 
	q INTEGER NOT NULL
);
INSERT INTO "answers" VALUES(1,'local','t-1',0,X'69696969696969696969696969696969',2);
CREATE TABLE bookings (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	ref VARCHAR(120) NOT NULL, 
	kind VARCHAR(24) NOT NULL, 
	"match" INTEGER, 
	host VARCHAR(64) NOT NULL, 
	at BIGINT NOT NULL, 
	memo TEXT DEFAULT '{}' NOT NULL, 
	UNIQUE (ref), 
	FOREIGN KEY("match") REFERENCES matches (id)
);
CREATE TABLE entries (
	"match" INTEGER NOT NULL, 
	n INTEGER NOT NULL, 
	line TEXT NOT NULL, 
	PRIMARY KEY ("match", n), 
	FOREIGN KEY("match") REFERENCES matches (id)
)
 WITHOUT ROWID

;
INSERT INTO "entries" VALUES(1,1,'{"n":1,"k":"hand","hand":1,"seed":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f","from":{"host":"fixed"},"h":"bce5d1a289ab9cf6"}');
INSERT INTO "entries" VALUES(1,2,'{"n":2,"k":"action","seat":1,"prompt":1,"do":{"type":"lay","card":["B10"]},"h":"06713c8515f76a20"}');
INSERT INTO "entries" VALUES(1,3,'{"n":3,"k":"action","seat":0,"prompt":2,"do":{"type":"lay","card":["B1"]},"h":"3aef19d010288fd5"}');
INSERT INTO "entries" VALUES(1,4,'{"n":4,"k":"action","seat":0,"prompt":3,"do":{"type":"bid","n":1},"h":"cbc2a3017acaab35"}');
CREATE TABLE hosts (
	id VARCHAR(64) NOT NULL, 
	name VARCHAR(64) DEFAULT '' NOT NULL, 
	batch BIGINT DEFAULT '0' NOT NULL, 
	seen BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "hosts" VALUES('local','',2,1796045271);
CREATE TABLE matches (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	host VARCHAR(64) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	number INTEGER NOT NULL, 
	game VARCHAR(24) NOT NULL, 
	version VARCHAR(40) NOT NULL, 
	header TEXT NOT NULL, 
	began BIGINT NOT NULL, 
	ended BIGINT, 
	archived BOOLEAN DEFAULT 0 NOT NULL, 
	FOREIGN KEY(host) REFERENCES hosts (id)
);
INSERT INTO "matches" VALUES(1,'local','t-1',1,'high-card','1','{"carteado":1,"encoding":1,"api":1,"game":"high-card","version":"1","table":"t-1","options":{"stake":10,"substitute":true,"hands":1},"house":[],"seats":[{"name":"Ana","bot":null},{"name":"Rui","bot":null}]}',1796045271,NULL,0);
CREATE TABLE players (
	"key" VARCHAR(64) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	since BIGINT NOT NULL, 
	seen BIGINT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "players" VALUES('4141414141414141414141414141414141414141414141414141414141414141','Ana',1796045271,1796045271);
INSERT INTO "players" VALUES('5252525252525252525252525252525252525252525252525252525252525252','Rui',1796045271,1796045271);
CREATE TABLE postings (
	booking INTEGER NOT NULL, 
	line INTEGER NOT NULL, 
	account VARCHAR(80) NOT NULL, 
	amount BIGINT NOT NULL, 
	PRIMARY KEY (booking, line), 
	FOREIGN KEY(booking) REFERENCES bookings (id), 
	FOREIGN KEY(account) REFERENCES accounts (id)
);
CREATE TABLE ratings (
	player VARCHAR(64) NOT NULL, 
	game VARCHAR(24) NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	matches INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (player, game)
);
CREATE TABLE results (
	"match" INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	player VARCHAR(64), 
	name VARCHAR(24) NOT NULL, 
	bot VARCHAR(24), 
	place INTEGER, 
	points BIGINT NOT NULL, 
	chips BIGINT NOT NULL, 
	gone VARCHAR(24), 
	PRIMARY KEY ("match", seat), 
	FOREIGN KEY("match") REFERENCES matches (id)
);
CREATE TABLE tables (
	host VARCHAR(64) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	game VARCHAR(24) NOT NULL, 
	version VARCHAR(40) NOT NULL, 
	record TEXT NOT NULL, 
	"match" INTEGER, 
	PRIMARY KEY (host, name), 
	FOREIGN KEY(host) REFERENCES hosts (id), 
	FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "tables" VALUES('local','t-1','high-card','1','{"id":"t-1","game":"high-card","version":"1","options":{"hands":1},"house":[],"policy":"seated","opener":null,"number":1,"paused":false,"places":2,"chairs":[{"key":"QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=","name":"Ana","bot":null,"house":false,"token":"dHR0dHR0dHR0dHR0dHR0dHR0dHR0dHR0dHR0dHR0dHQ=","left":false,"fresh":false},{"key":"UlJSUlJSUlJSUlJSUlJSUlJSUlJSUlJSUlJSUlJSUlI=","name":"Rui","bot":null,"house":false,"token":"dHR0dHR0dHR0dHR0dHR0dHR0dHR0dHR0dHR0dHR0dHQ=","left":false,"fresh":false}],"terms":{},"banks":[],"players":[],"ref":""}',1);
CREATE INDEX matches_by_table ON matches (host, name, id);
CREATE INDEX matches_by_end ON matches (ended);
CREATE INDEX answers_by_table ON answers (host, name, serial);
CREATE INDEX results_by_player ON results (player);
CREATE INDEX postings_by_account ON postings (account);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('matches',1);
INSERT INTO "sqlite_sequence" VALUES('answers',1);
COMMIT;

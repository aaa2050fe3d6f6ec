-- A store of version 1, as Holdfast wrote it before schemas recorded min_reader and min_writer. VersionOneEntries has what is in it.
-- pg_dump --schema=version_one --no-owner --inserts, without the two lines that only psql understands.
--
-- PostgreSQL database dump
--

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: version_one; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA version_one;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: entry; Type: TABLE; Schema: version_one; Owner: -
--

CREATE TABLE version_one.entry (
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    version uuid NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    fence bigint NOT NULL,
    grants bigint NOT NULL,
    token uuid,
    holder text COLLATE pg_catalog."C",
    term_millis bigint,
    beat uuid,
    stamp timestamp with time zone NOT NULL,
    granted_at timestamp with time zone,
    anchor_namespace text COLLATE pg_catalog."C",
    anchor_name text COLLATE pg_catalog."C",
    anchor_fence bigint,
    attributes bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone,
    wanted timestamp with time zone
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');

--
-- Name: meta; Type: TABLE; Schema: version_one; Owner: -
--

CREATE TABLE version_one.meta (
    id boolean DEFAULT true NOT NULL,
    schema_version integer NOT NULL,
    fence_floor bigint NOT NULL,
    CONSTRAINT meta_id_check CHECK (id)
);

--
-- Data for Name: entry; Type: TABLE DATA; Schema: version_one; Owner: -
--

INSERT INTO version_one.entry VALUES ('', 'deleted', '9693e74b-8de7-3602-82ce-acddb5038e62', 'FREE', 2004, 0, NULL, NULL, NULL, NULL, '2026-11-15 23:36:18.258334+00', NULL, NULL, NULL, NULL, '\x0100', '2026-02-03 04:05:06.789012+00', NULL, NULL);
INSERT INTO version_one.entry VALUES ('files', 'done', '1e2340e7-f1d4-3c2c-a344-8854649f1ded', 'DONE', 2003, 3, 'b959d667-c994-39eb-bf29-4367d1f450a2', 'holder-3', 30000, '1e2340e7-f1d4-3c2c-a344-8854649f1ded', '2026-11-15 23:36:18.258383+00', '2026-02-03 04:05:06.789012+00', NULL, NULL, NULL, '\x0100', '2026-02-03 04:05:06.789012+00', '2026-02-03 04:05:09.789012+00', NULL);
INSERT INTO version_one.entry VALUES ('files', 'free', '2e0e9528-5f08-307d-aa17-e7ee111b21c8', 'FREE', 2002, 2, '0e0530c1-430d-3764-9595-5eb06eb99d95', 'holder-2', 30000, '2e0e9528-5f08-307d-aa17-e7ee111b21c8', '2026-11-15 23:36:18.258394+00', '2026-02-03 04:05:06.789012+00', NULL, NULL, NULL, '\x0101046e6f7465010872656c6561736564', '2026-02-03 04:05:06.789012+00', NULL, NULL);
INSERT INTO version_one.entry VALUES ('units', 'anchored', '2143ae88-66e9-354b-8795-2416d0b811d4', 'HELD', 2006, 6, '5c84e860-73fa-3eb7-8895-744a00a4f1aa', 'holder-6', 30000, '2143ae88-66e9-354b-8795-2416d0b811d4', '2026-11-15 23:36:18.258409+00', '2026-02-03 04:05:06.789012+00', 'workers', 'worker-1', 2005, '\x0100', '2026-02-03 04:05:06.789012+00', NULL, NULL);
INSERT INTO version_one.entry VALUES ('workers', 'worker-1', '5f4bfb35-664b-3fbe-a69c-c7b47516a959', 'HELD', 2005, 5, '0ac81237-6ae7-30ed-9f90-165b492289d6', 'holder-5', 30000, '5f4bfb35-664b-3fbe-a69c-c7b47516a959', '2026-11-15 23:36:18.258417+00', '2026-02-03 04:05:06.789012+00', NULL, NULL, NULL, '\x0100', '2026-02-03 04:05:06.789012+00', NULL, NULL);
INSERT INTO version_one.entry VALUES ('files', 'held é/1', '966634eb-f2fc-3357-87d6-753692bf4b1e', 'HELD', 2001, 1, '78b1e6d7-75ce-3526-8001-af137a79dbd5', 'holder-1', 30000, '966634eb-f2fc-3357-87d6-753692bf4b1e', '2026-11-15 23:36:18.258402+00', '2026-02-03 04:05:06.789012+00', NULL, NULL, NULL, '\x010904626f6f6c04096279746520736574730a01030001ff05627974657305030001ff046c697374060301016102013104036d6170070105696e6e6572060301016102013104066e756d626572020b2d31323334352e36373839076e756d62657273090201310431452b310474657874010fc3a40a2271756f7465642220277827057465787473080201780179', '2026-02-03 04:05:06.789012+00', NULL, '2026-11-15 23:37:18.352789+00');

--
-- Data for Name: meta; Type: TABLE DATA; Schema: version_one; Owner: -
--

INSERT INTO version_one.meta VALUES (true, 1, 1500);

--
-- Name: entry entry_pkey; Type: CONSTRAINT; Schema: version_one; Owner: -
--

ALTER TABLE ONLY version_one.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (namespace, name);

--
-- Name: meta meta_pkey; Type: CONSTRAINT; Schema: version_one; Owner: -
--

ALTER TABLE ONLY version_one.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (id);

--
-- Name: entry_by_state; Type: INDEX; Schema: version_one; Owner: -
--

CREATE INDEX entry_by_state ON version_one.entry USING btree (state, namespace COLLATE "POSIX", name COLLATE "POSIX");

--
-- Name: entry_by_token; Type: INDEX; Schema: version_one; Owner: -
--

CREATE INDEX entry_by_token ON version_one.entry USING btree (token);

--
-- PostgreSQL database dump complete
--


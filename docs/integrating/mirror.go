// Keeps a copy of the contacts in a file. Run it again and again; when it fails, the next run goes on.
//
//	HUB=https://hub.example KEY=... go run mirror.go copy.json
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

var client = http.Client{Timeout: time.Minute}

type stored struct {
	Cursor   string                    `json:"cursor"`
	Contacts map[string]map[string]any `json:"contacts"`
}

type page struct {
	Data []map[string]any
	Meta struct {
		Next    *string
		Missing []string
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// decode keeps all digits of numbers.
func decode(text io.Reader, into any) {
	decoder := json.NewDecoder(text)
	decoder.UseNumber()
	check(decoder.Decode(into))
}

// call returns nothing if the hub answers with this other status.
func call(method, path string, body []byte, other int) *page {
	request, err := http.NewRequest(method, os.Getenv("HUB")+path, bytes.NewReader(body))
	check(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	check(err)
	defer answer.Body.Close()
	if answer.StatusCode == other {
		return nil
	}
	if answer.StatusCode != 200 {
		log.Fatal(path, " was answered with ", answer.Status)
	}
	read := new(page)
	decode(answer.Body, read)
	return read
}

// changes returns nothing if the cursor has expired.
func changes(after string) *page {
	return call("GET", "/api/manage/v1/changes?page[size]=1000&after="+after, nil, 410)
}

// store uses the keys of fields, which never change, unlike their names.
func (copy *stored) store(contacts []map[string]any) {
	for _, contact := range contacts {
		values := map[string]any{}
		for _, it := range contact["field_values"].([]any) {
			value := it.(map[string]any)
			values[value["key"].(string)] = value["value"]
		}
		contact["field_values"] = values
		copy.Contacts[contact["id"].(string)] = contact
	}
}

// firstCopy remembers a cursor from before the contacts are read.
func firstCopy() stored {
	copy := stored{*changes("latest").Meta.Next, map[string]map[string]any{}}
	path := "/api/public/v1/contacts?include=field_values&page[size]=100&page[after]="
	for after := new(string); after != nil; {
		part := call("GET", path+*after, nil, 0)
		copy.store(part.Data)
		after = part.Meta.Next
	}
	return copy
}

// lookUp stores contacts as they are now. If their values are too many for one call, it looks up each half.
func (copy *stored) lookUp(ids []string) {
	body, err := json.Marshal(map[string]any{"ids": ids})
	check(err)
	found := call("POST", "/api/public/v1/contacts/lookup", body, 422)
	if found == nil && len(ids) == 1 {
		log.Fatal("the contact ", ids[0], " cannot be looked up")
	}
	if found == nil {
		half := len(ids) / 2
		copy.lookUp(ids[:half])
		copy.lookUp(ids[half:])
		return
	}
	copy.store(found.Data)
	for _, id := range found.Meta.Missing {
		delete(copy.Contacts, id)
	}
}

// follow applies all changes since the last run, and returns false if the cursor has expired.
func (copy *stored) follow() bool {
	for {
		feed := changes(copy.Cursor)
		if feed == nil {
			return false
		}
		ids, seen := []string{}, map[string]bool{}
		for _, entry := range feed.Data {
			id := entry["object_id"].(string)
			if strings.HasPrefix(entry["type"].(string), "contact.") && !seen[id] {
				ids, seen[id] = append(ids, id), true
			}
		}
		if len(ids) > 0 {
			copy.lookUp(ids)
		}
		copy.Cursor = *feed.Meta.Next
		if len(feed.Data) == 0 {
			return true
		}
	}
}

func main() {
	file, copy := os.Args[1], stored{}
	if text, err := os.ReadFile(file); err == nil {
		decode(bytes.NewReader(text), &copy)
	} else {
		copy = firstCopy()
	}
	if !copy.follow() {
		copy = firstCopy()
		copy.follow()
	}
	text, err := json.Marshal(copy)
	check(err)
	check(os.WriteFile(file+".new", text, 0o600))
	check(os.Rename(file+".new", file))
}

// Keeps a copy of the contacts in a file. Run it again and again; when it fails, the next run goes on.
//
//	HUB=https://hub.example KEY=... go run mirror.go copy.json
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"
)

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
	expired bool
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func call(method, path string, body []byte) (read page) {
	request, err := http.NewRequest(method, os.Getenv("HUB")+path, bytes.NewReader(body))
	check(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	check(err)
	defer answer.Body.Close()
	if answer.StatusCode == 410 {
		return page{expired: true}
	}
	if answer.StatusCode != 200 {
		log.Fatal(path, " was answered with ", answer.Status)
	}
	decoder := json.NewDecoder(answer.Body)
	decoder.UseNumber()
	check(decoder.Decode(&read))
	return read
}

func changes(after string) page {
	return call("GET", "/api/manage/v1/changes?page[size]=1000&after="+after, nil)
}

func (copy *stored) store(contacts []map[string]any) {
	for _, contact := range contacts {
		copy.Contacts[contact["id"].(string)] = contact
	}
}

// firstCopy remembers a cursor from before the contacts are read.
func firstCopy() stored {
	copy := stored{*changes("latest").Meta.Next, map[string]map[string]any{}}
	path := "/api/public/v1/contacts?include=field_values&page[size]=100&page[after]="
	for after := new(string); after != nil; {
		part := call("GET", path+*after, nil)
		copy.store(part.Data)
		after = part.Meta.Next
	}
	return copy
}

// follow applies all changes since the last run, and returns false if the cursor has expired.
func (copy *stored) follow() bool {
	for {
		feed := changes(copy.Cursor)
		if feed.expired {
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
			body, err := json.Marshal(map[string]any{"ids": ids})
			check(err)
			found := call("POST", "/api/public/v1/contacts/lookup", body)
			copy.store(found.Data)
			for _, id := range found.Meta.Missing {
				delete(copy.Contacts, id)
			}
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
		check(json.Unmarshal(text, &copy))
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
